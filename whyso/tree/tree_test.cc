// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "whyso/tree/directory_tree.h"
#include "whyso/tree/memory_tree.h"
#include "whyso/tree/resolve.h"
#include "whyso/tree/shrink_guard.h"

namespace whyso::tree {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with the test; every question is asked of the real kernel too.
class Disk : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "whyso-tree-XXXXXX";
    root_ = ::mkdtemp(name.data());
    fs::create_directories(root_ / "a/b");
    write("a/b/file", "content");
    fs::create_symlink("b/file", root_ / "a/link");
    fs::create_symlink("/a/b", root_ / "a/absolute");
    fs::create_symlink("../../../../../../../../etc", root_ / "a/up");
    fs::create_symlink("loop", root_ / "loop");
    fs::create_symlink("nowhere", root_ / "dangling");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, std::string_view text) const {
    std::ofstream(root_ / path) << text;
  }
  [[nodiscard]] Path host_path(const std::string& path) const {
    return *Path::parse((root_ / path).string());
  }

  fs::path root_;
};

TEST_F(Disk, tells_present_absent_and_unsupported_apart) {
  const DirectoryTree host;
  EXPECT_EQ(host.read(host_path("a/b/file")).value().blob.text(), "content");
  EXPECT_TRUE(host.read(host_path("a/none")).is_absent());
  EXPECT_TRUE(host.read(host_path("a/b/file/below")).is_absent());
  EXPECT_EQ(host.read(host_path("a")).error().kind, ErrorKind::unsupported);
  EXPECT_EQ(host.read(host_path("a/link")).error().kind, ErrorKind::unsupported);
  EXPECT_EQ(host.read_link(host_path("a/link")).value(), "b/file");
}

TEST_F(Disk, reads_in_pieces_what_it_reads_whole) {
  std::string text;
  while (text.size() < 300'000) text += std::to_string(text.size()) + "\n";
  write("large", text);
  write("empty", "");
  const DirectoryTree host;
  const auto pieces = host.read_in_pieces(host_path("large"));
  ASSERT_TRUE(pieces.is_present());
  EXPECT_EQ(pieces.value().facts, host.read(host_path("large")).value().facts);
  EXPECT_FALSE(pieces.value().bytes.is_whole());
  for (const std::size_t offset : {0UL, 123'456UL, text.size() - 5}) {
    EXPECT_EQ(text_of(*pieces.value().bytes.slice(offset, 5)), text.substr(offset, 5));
  }
  EXPECT_EQ(host.read_in_pieces(host_path("empty")).value().bytes.size(), 0U);
  EXPECT_TRUE(host.read_in_pieces(host_path("none")).is_absent());
  EXPECT_EQ(host.read_in_pieces(host_path("a")).error().kind, ErrorKind::unsupported);
  EXPECT_EQ(host.read_in_pieces(host_path("a/link")).error().kind, ErrorKind::unsupported);
}

TEST_F(Disk, lists_what_is_chosen) {
  const DirectoryTree host;
  const auto chosen = host.list_chosen(host_path("a"), [](std::string_view name, FileKind kind) {
    return kind == FileKind::directory || name == "up";
  });
  ASSERT_TRUE(chosen.is_present());
  ASSERT_EQ(chosen.value().size(), 2U);
  EXPECT_EQ(chosen.value()[0].name, "b");
  EXPECT_EQ(chosen.value()[1].name, "up");
  EXPECT_EQ(chosen.value()[1].facts.kind, FileKind::symbolic_link);
  EXPECT_TRUE(host.list_chosen(host_path("none"), [](auto, auto) { return true; }).is_absent());
}

TEST_F(Disk, lists_a_large_folder_whole) {
  for (int i = 0; i < 3000; ++i) write("a/b/a_rather_long_name_" + std::to_string(i), "");
  const auto entries = DirectoryTree().list(host_path("a/b"), ListDetail::kinds);
  EXPECT_EQ(entries.value().size(), 3001U);
}

TEST_F(Disk, is_not_blocked_by_a_fifo) {
  ASSERT_EQ(::mkfifo((root_ / "fifo").c_str(), 0644), 0);
  EXPECT_EQ(DirectoryTree().read(host_path("fifo")).error().kind, ErrorKind::unsupported);
}

TEST_F(Disk, reads_a_part_up_to_the_end) {
  const DirectoryTree host;
  EXPECT_EQ(host.read_part(host_path("a/b/file"), 3, 2).value().blob.text(), "te");
  EXPECT_EQ(host.read_part(host_path("a/b/file"), 3, 100).value().blob.text(), "tent");
  EXPECT_EQ(host.read_part(host_path("a/b/file"), 100, 1).value().blob.text(), "");
  EXPECT_TRUE(host.read_part(host_path("a/none"), 0, 1).is_absent());
}

TEST_F(Disk, reads_the_files_of_the_kernel_that_have_no_size) {
  const auto content = DirectoryTree().read(*Path::parse("/proc/self/stat"));
  if (content.is_absent()) GTEST_SKIP() << "no /proc here";
  EXPECT_GT(content.value().blob.size(), 0U);
}

TEST_F(Disk, lists_sorted_with_the_facts_of_stat) {
  const auto entries = DirectoryTree().list(host_path("a"), ListDetail::facts).value();
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].name, "absolute");
  EXPECT_EQ(entries[1].name, "b");
  EXPECT_EQ(entries[1].facts.kind, FileKind::directory);
  EXPECT_EQ(entries[2].facts, DirectoryTree().stat(host_path("a/link")).value());
}

TEST_F(Disk, a_root_is_never_left) {
  const auto inside = *DirectoryTree::open(root_.string());
  Resolver resolver(*inside);
  EXPECT_EQ(resolver.resolve("/a/absolute/file").real.text(), "/a/b/file");
  EXPECT_EQ(resolver.resolve("/a/up/passwd").outcome, WalkOutcome::absent);
  EXPECT_TRUE(inside->stat(*Path::parse("/a/up/passwd")).is_absent());
  EXPECT_TRUE(inside->stat(*Path::parse("/a/absolute/file")).is_absent());
}

TEST_F(Disk, walks_as_the_kernel_does) {
  const DirectoryTree host;
  Resolver resolver(host);
  for (const char* path :
       {"a/b/file", "a/link", "a/b/../link", "a/b/../../a/b", "a//./b/", "a/b/file/", "loop",
        "loop/x", "dangling", "a/link/x", "a/up", "none/.."}) {
    const std::string full = (root_ / path).string();
    struct stat status;
    const int error = ::stat(full.c_str(), &status) == 0 ? 0 : errno;
    const Walk walk = resolver.resolve(full);
    const int said = walk.outcome == WalkOutcome::found             ? 0
                     : walk.outcome == WalkOutcome::absent          ? ENOENT
                     : walk.outcome == WalkOutcome::not_a_directory ? ENOTDIR
                     : walk.outcome == WalkOutcome::loop            ? ELOOP
                                                                    : -1;
    EXPECT_EQ(said, error) << path;
    if (error == 0) {
      EXPECT_EQ(walk.facts.id.inode, status.st_ino) << path;
    }
    if (error == 0) {
      EXPECT_EQ(walk.real.text(), fs::canonical(full).string()) << path;
    }
  }
}

TEST_F(Disk, a_name_or_path_that_is_too_long_is_said) {
  const DirectoryTree host;
  Resolver resolver(host);
  EXPECT_EQ(resolver.resolve("/" + std::string(256, 'n')).outcome, WalkOutcome::name_too_long);
  EXPECT_EQ(resolver.resolve("/" + std::string(5000, '/')).outcome, WalkOutcome::name_too_long);
}

TEST_F(Disk, a_mapped_file_that_shrinks_is_told_and_does_not_kill) {
  guard_against_shrinking_files();
  write("big", std::string(1 << 20, 'x'));
  const DirectoryTree host;
  const auto content = host.read(host_path("big")).value();
  EXPECT_TRUE(require_unchanged(host, host_path("big"), content.facts));
  fs::resize_file(root_ / "big", 10);
  EXPECT_EQ(content.blob.text().back(), '\0');
  EXPECT_EQ(require_unchanged(host, host_path("big"), content.facts).error().kind,
            ErrorKind::changed_while_read);
}

TEST(MemoryTree, answers_like_a_disk) {
  MemoryTree memory;
  memory.add_file("/a/b/file", "content");
  memory.add_link("/a/link", "b/file");
  memory.add_unreadable("/a/secret");
  memory.add_hard_link("/a/twin", "/a/b/file");
  EXPECT_EQ(memory.read(*Path::parse("/a/b/file")).value().blob.text(), "content");
  EXPECT_EQ(memory.list(*Path::parse("/a"), ListDetail::kinds).value().size(), 4U);
  EXPECT_EQ(memory.stat(*Path::parse("/a/secret/x")).error().kind, ErrorKind::not_permitted);
  Resolver resolver(memory);
  EXPECT_EQ(resolver.resolve("/a/link").real.text(), "/a/b/file");
  EXPECT_EQ(resolver.resolve("/a/link").links.size(), 1U);
  EXPECT_EQ(resolver.resolve("/a/twin").facts.id, resolver.resolve("/a/link").facts.id);
  EXPECT_EQ(resolver.resolve("/a/secret").outcome, WalkOutcome::not_permitted);
  EXPECT_EQ(resolver.resolve("/a/link", LastLink::keep).facts.kind, FileKind::symbolic_link);
}

}  // namespace
}  // namespace whyso::tree
