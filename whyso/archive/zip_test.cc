// SPDX-License-Identifier: Apache-2.0
// Archives that Python's zipfile makes, read as it reads them, and hostile ones of literal bytes.
#include "whyso/archive/zip.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "whyso/archive/inflate.h"
#include "whyso/base/hash.h"
#include "whyso/base/text.h"

namespace whyso::archive {
namespace {

using Lines = std::vector<std::string>;

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 65536> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe.get())) {
    text.append(part.data(), n);
  }
  return text;
}

Blob blob_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Blob(std::string(std::istreambuf_iterator<char>(file), {}));
}

// Archives that a python script makes; `z` is open for writing there, `path` is where.
class ByPython : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'import zipfile, zlib' >/dev/null 2>&1") != 0) {
      GTEST_SKIP() << "needs python3 with zipfile and zlib";
    }
    path_ = testing::TempDir() + "whyso_zip_" + std::to_string(getpid()) + ".zip";
  }
  void TearDown() override {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_ + ".py");
  }

  std::string python(const std::string& script) const {
    std::ofstream(path_ + ".py") << "import sys, zipfile, hashlib\npath = sys.argv[1]\n" << script;
    return output_of("python3 " + path_ + ".py " + path_);
  }

  ZipArchive make(const std::string& body) const {
    python("with zipfile.ZipFile(path, 'w') as z:\n  D = zipfile.ZIP_DEFLATED\n" + body);
    return ZipArchive::parse(blob_of(path_), "a.zip").value();
  }

  [[nodiscard]] Lines as_python_sees_it() const {
    Lines lines;
    const std::string text = python(
        "for i in zipfile.ZipFile(path).infolist():\n"
        "  d = hashlib.sha256(zipfile.ZipFile(path).read(i)).hexdigest()\n"
        "  print(i.filename, i.compress_type, i.file_size, i.compress_size, i.CRC, "
        "i.header_offset, "
        "i.is_dir(), d)\n");
    for (const std::string_view line : lines_of(text)) lines.emplace_back(line);
    return lines;
  }

  static Lines as_we_see_it(const ZipArchive& archive) {
    Lines lines;
    for (const ZipMember& member : archive.members()) {
      const auto content = archive.read(member, 1 << 24);
      const Sha256 sum = sha256(content ? content->bytes() : Bytes());
      lines.push_back(
          fmt::format("{} {} {} {} {} {} {} {}", member.name, static_cast<int>(member.compression),
                      member.size, member.compressed_size, member.crc, member.header_offset,
                      member.is_directory() ? "True" : "False",
                      content ? hexadecimal(text_of(Bytes(sum))) : content.error().text()));
    }
    return lines;
  }

  std::string path_;
};

constexpr const char* some_members =
    "  z.writestr('a.txt', 'text ' * 9999, D)\n"
    "  z.writestr('folder/', '')\n"
    "  z.writestr('folder/stored.so', bytes(range(256)))\n"
    "  z.writestr('empty', '')\n"
    "  z.writestr('empty.packed', '', D)\n";

TEST_F(ByPython, members_are_the_same) {
  const ZipArchive archive = make(some_members);
  EXPECT_EQ(as_we_see_it(archive), as_python_sees_it());
  EXPECT_EQ(archive.members().size(), 5U);
  EXPECT_EQ(archive.find("folder/stored.so"), &archive.members()[2]);
  EXPECT_EQ(archive.find("folder/stored"), nullptr);
}

TEST_F(ByPython, members_are_the_same_with_a_comment_and_bytes_before) {
  make(std::string(some_members) + "  z.comment = b'PK and so on ' * 99\n");
  python("data = open(path, 'rb').read()\nopen(path, 'wb').write(b'#!/bin/sh\\n' * 7 + data)\n");
  const ZipArchive archive = ZipArchive::parse(blob_of(path_), "a.zip").value();
  EXPECT_EQ(as_we_see_it(archive), as_python_sees_it());
}

TEST_F(ByPython, members_are_the_same_when_there_are_more_than_16_bits_count) {
  const ZipArchive archive = make("  for i in range(66000): z.writestr(str(i), '')\n");
  EXPECT_EQ(archive.members().size(), 66000U);
  EXPECT_EQ(archive.members().back().name, "65999");
  const auto few = ZipArchive::parse(blob_of(path_), "a.zip", 1000);
  EXPECT_EQ(few.error(), (Error{ErrorKind::unsupported, "a.zip", "more than 1000 members"}));
}

TEST_F(ByPython, streamed_and_zip64_members_are_the_same) {
  const ZipArchive archive = make(
      "  class Pipe:\n"
      "    def __init__(self, f): self.f = f\n"
      "    def write(self, b): return self.f.write(b)\n"
      "    def flush(self): self.f.flush()\n"
      "  with z.open('wide', 'w', force_zip64=True) as f: f.write(b'x' * 500)\n"
      "  with open(path + '.2', 'wb') as raw, zipfile.ZipFile(Pipe(raw), 'w', D) as y:\n"
      "    y.writestr('streamed', 'abc' * 100)\n");
  EXPECT_EQ(as_we_see_it(archive), as_python_sees_it());
  std::filesystem::rename(path_ + ".2", path_);
  EXPECT_EQ(as_we_see_it(ZipArchive::parse(blob_of(path_), "b.zip").value()), as_python_sees_it());
}

TEST_F(ByPython, links_and_the_last_of_two_equal_names_are_known) {
  const ZipArchive archive = make(
      "  import warnings; warnings.simplefilter('ignore')\n"
      "  link = zipfile.ZipInfo('link'); link.external_attr = 0o120777 << 16\n"
      "  z.writestr(link, 'target')\n"
      "  z.writestr('twice', 'one')\n"
      "  z.writestr('twice', 'two')\n");
  EXPECT_TRUE(archive.find("link")->is_symbolic_link());
  EXPECT_FALSE(archive.find("twice")->is_symbolic_link());
  EXPECT_EQ(archive.read(*archive.find("twice"), 10)->text(),
            python("print(zipfile.ZipFile(path).read('twice').decode(), end='')"));
}

TEST_F(ByPython, cut_or_changed_anywhere_it_is_answered) {
  make("  z.writestr('a', 'text ' * 30, D)\n  z.writestr('b', 'bytes')\n");
  const std::string whole(blob_of(path_).text());
  const auto ask = [](std::string bytes) {
    const auto archive = ZipArchive::parse(Blob(std::move(bytes)), "a.zip");
    std::size_t readable = 0;
    if (!archive) return readable;
    for (const ZipMember& member : archive->members())
      readable += archive->read(member, 1 << 20).has_value();
    return readable;
  };
  EXPECT_EQ(ask(whole), 2U);
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_EQ(ask(whole.substr(0, size)), 0U);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[at] = value;
      ask(changed);
    }
  }
}

std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i));
  return text;
}

// One member as literal bytes; what is said of it may be a lie.
struct Entry {
  std::string name;
  std::string packed;
  std::uint32_t size = 0;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint16_t flags = 0;
  std::uint32_t offset = 0;
  std::string extra;
  std::uint32_t packed_size = 0;
};

Entry stored(std::string name, std::string content) {
  const auto size = static_cast<std::uint32_t>(content.size());
  const std::uint32_t crc = crc32(bytes_of(content));
  return {.name = std::move(name),
          .packed = std::move(content),
          .size = size,
          .crc = crc,
          .packed_size = size};
}

std::string header_of(const Entry& entry) {
  return "PK\3\4" + little(20, 2) + little(entry.flags, 2) + little(entry.method, 2) +
         little(0, 4) + little(entry.crc, 4) + little(entry.packed_size, 4) +
         little(entry.size, 4) + little(entry.name.size(), 2) + little(0, 2) + entry.name +
         entry.packed;
}

std::string directory_of(const std::vector<Entry>& entries, std::uint64_t offset) {
  std::string text;
  for (const Entry& entry : entries) {
    text += "PK\1\2" + little(20, 2) + little(20, 2) + little(entry.flags, 2) +
            little(entry.method, 2) + little(0, 4) + little(entry.crc, 4) +
            little(entry.packed_size, 4) + little(entry.size, 4) + little(entry.name.size(), 2) +
            little(entry.extra.size(), 2) + little(0, 6) + little(0, 4) + little(entry.offset, 4) +
            entry.name + entry.extra;
  }
  const std::size_t size = text.size();
  return text + "PK\5\6" + little(0, 4) + little(entries.size(), 2) + little(entries.size(), 2) +
         little(size, 4) + little(offset, 4) + little(0, 2);
}

std::string archive_of(std::vector<Entry> entries) {
  std::string text;
  for (Entry& entry : entries) {
    entry.offset = static_cast<std::uint32_t>(text.size());
    text += header_of(entry);
  }
  return text + directory_of(entries, text.size());
}

std::string error_of(Entry entry, std::uint64_t limit = 1000) {
  const auto archive = ZipArchive::parse(Blob(archive_of({std::move(entry)})), "a.zip");
  if (!archive) return archive.error().text();
  const auto content = archive->read(archive->members().front(), limit);
  return content ? "" : content.error().text();
}

TEST(Zip, unsafe_names_are_said_as_they_are_and_flagged) {
  const std::vector<std::pair<std::string, NameHazard>> names = {
      {"a/b.py", NameHazard::none},
      {"a/..b/c..", NameHazard::none},
      {"../../etc/passwd", NameHazard::leaves_root},
      {"a/..", NameHazard::leaves_root},
      {"a\\..\\b", NameHazard::leaves_root},
      {"/etc/passwd", NameHazard::absolute},
      {"C:/x", NameHazard::absolute},
      {std::string("a\0b", 3), NameHazard::contains_nul},
      {"", NameHazard::empty},
  };
  std::vector<Entry> entries;
  for (const auto& [name, hazard] : names) entries.push_back(stored(name, "x"));
  const ZipArchive archive = ZipArchive::parse(Blob(archive_of(entries)), "a.zip").value();
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(archive.members()[i].name, names[i].first);
    EXPECT_EQ(archive.members()[i].hazard, names[i].second) << names[i].first;
  }
}

TEST(Zip, lying_members_are_errors) {
  EXPECT_EQ(error_of(stored("a", "text")), "");
  Entry entry = stored("a", "text");
  entry.size = 5;
  EXPECT_EQ(error_of(entry), "a.zip: a: a stored member has two sizes");
  entry = stored("a", "text");
  entry.crc ^= 1;
  EXPECT_EQ(error_of(entry), "a.zip: a: the content has another CRC than the directory says");
  entry = stored("a", "text");
  entry.packed_size = entry.size = 400;
  EXPECT_EQ(error_of(entry), "a.zip: a: the member overlaps what follows it");
  entry = stored("a", "text");
  entry.flags = 1;
  EXPECT_EQ(error_of(entry), "a.zip: a: the member is encrypted");
  entry = stored("a", "text");
  entry.method = 14;
  EXPECT_EQ(error_of(entry), "a.zip: a: unknown compression 14");
}

// "abc" * 100 as a raw deflate stream, by Python's zlib.compressobj(9, 8, -15).
const std::string packed_text("\x4b\x4c\x4a\x4e\x1c\x45\xc4\x21\x00", 9);

TEST(Zip, deflated_members_must_hold_what_they_say) {
  Entry entry{.name = "a", .packed = packed_text, .size = 300, .method = 8, .packed_size = 9};
  std::string text;
  for (int i = 0; i < 100; ++i) text += "abc";
  entry.crc = crc32(bytes_of(text));
  EXPECT_EQ(error_of(entry), "");
  EXPECT_EQ(error_of(entry, 299), "a.zip: a: the member has 300 bytes, more than 299");
  entry.size = 299;
  EXPECT_EQ(error_of(entry), "a.zip: a: the compressed data hold more bytes than said");
  entry.size = 301;
  EXPECT_EQ(error_of(entry), "a.zip: a: the compressed data hold fewer bytes than said");
  entry.size = 0xfffffff0;
  EXPECT_EQ(error_of(entry, ~0ULL), "a.zip: a: 9 bytes cannot unpack to 4294967280");
}

TEST(Zip, of_overlapping_members_only_one_is_read) {
  Entry inner = stored("b", "text");
  Entry outer = stored("a", header_of(inner));
  const std::string text = header_of(outer);
  inner.offset = static_cast<std::uint32_t>(text.size() - header_of(inner).size());
  const ZipArchive archive =
      ZipArchive::parse(Blob(text + directory_of({outer, inner, outer}, text.size())), "a.zip")
          .value();
  EXPECT_FALSE(archive.read(archive.members()[0], 1000));
  EXPECT_EQ(archive.read(archive.members()[1], 1000)->text(), "text");
  EXPECT_FALSE(archive.read(archive.members()[2], 1000));
}

TEST(Zip, another_name_in_the_header_is_an_error) {
  std::string bytes = archive_of({stored("name", "text")});
  bytes[30] = 'N';
  const ZipArchive archive = ZipArchive::parse(Blob(bytes), "a.zip").value();
  EXPECT_EQ(archive.read(archive.members()[0], 10).error().what,
            "the member's header has another name than the directory");
}

TEST(Zip, numbers_of_64_bits_are_read_from_the_extra_field) {
  Entry entry = stored("a", "text");
  entry.size = entry.packed_size = 0xffffffff;
  entry.extra = little(7, 2) + little(1, 2) + "x" + little(1, 2) + little(16, 2) + little(4, 8) +
                little(4, 8);
  EXPECT_EQ(error_of(entry), "");
  entry.extra = little(1, 2) + little(8, 2) + little(4, 8);
  EXPECT_EQ(error_of(entry), "a.zip: a zip64 field is cut short");
}

TEST(Zip, a_directory_that_disagrees_with_its_end_is_an_error) {
  std::string bytes = archive_of({stored("a", "text"), stored("b", "text")});
  bytes[bytes.size() - 12] = 3;
  EXPECT_EQ(ZipArchive::parse(Blob(bytes), "a.zip").error().text(),
            "a.zip: the end record says 3 members, the directory has 2");
  EXPECT_EQ(ZipArchive::parse(Blob(std::string("PK\3\4")), "a.zip").error().text(),
            "a.zip: no end record: the file is cut short or no zip archive");
  EXPECT_TRUE(ZipArchive::parse(Blob(archive_of({})), "a.zip")->members().empty());
}

}  // namespace
}  // namespace whyso::archive
