// SPDX-License-Identifier: Apache-2.0
// The cache against the ldconfig of this machine, and damaged caches.
#include "whyso/ldso/cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "whyso/base/text.h"

namespace whyso::ldso {
namespace {

using Lines = std::vector<std::string>;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Lines lines_from(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 65536> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe.get())) {
    text.append(part.data(), n);
  }
  Lines lines;
  for (const std::string_view line : lines_of(text)) lines.emplace_back(line);
  return lines;
}

bool runs(const std::string& command) {
  return std::system(fmt::format("({}) >/dev/null 2>&1", command).c_str()) == 0;
}

// "\tKEY (libc6,x86-64, hwcap: "x86-64-v2") => VALUE" without what is in brackets but the hwcap.
Lines pairs_by_ldconfig(const std::string& options) {
  Lines pairs;
  for (const std::string& line : lines_from("LC_ALL=C /sbin/ldconfig -p " + options)) {
    const std::size_t bracket = line.find(" (");
    const std::size_t arrow = line.find(") => ");
    if (!line.starts_with('\t') || arrow == std::string::npos) continue;
    const std::size_t hwcap = line.find("hwcap: \"");
    const std::string name = hwcap == std::string::npos
                                 ? ""
                                 : line.substr(hwcap + 8, line.find('"', hwcap + 8) - hwcap - 8);
    pairs.push_back(
        fmt::format("{} {} {}", line.substr(1, bracket - 1), line.substr(arrow + 5), name));
  }
  return pairs;
}

Lines pairs_of(const Cache& cache) {
  const auto names = cache.hwcaps_names().value();
  const auto entries = cache.entries().value();
  Lines pairs;
  for (const CacheEntry& entry : entries) {
    const auto name =
        entry.is_hwcaps_extension() ? names.at(entry.hwcaps_index()) : std::string_view();
    pairs.push_back(fmt::format("{} {} {}", entry.key, entry.value, name));
  }
  return pairs;
}

TEST(Cache, agrees_with_ldconfig_on_the_cache_of_this_machine) {
  const std::string bytes = read_file("/etc/ld.so.cache");
  if (bytes.empty() || !runs("/sbin/ldconfig --version"))
    GTEST_SKIP() << "needs ldconfig and its cache";
  const Cache cache = Cache::parse(bytes_of(bytes), "/etc/ld.so.cache").value();
  EXPECT_EQ(pairs_of(cache), pairs_by_ldconfig(""));
}

TEST(Cache, finds_every_name_that_it_holds) {
  const std::string bytes = read_file("/etc/ld.so.cache");
  if (bytes.empty()) GTEST_SKIP() << "needs /etc/ld.so.cache";
  const Cache cache = Cache::parse(bytes_of(bytes), "/etc/ld.so.cache").value();
  const auto entries = cache.entries().value();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto found = cache.find(entries[i].key).value();
    EXPECT_TRUE(std::find(found.begin(), found.end(), entries[i]) != found.end()) << entries[i].key;
    for (const CacheEntry& each : found) EXPECT_EQ(compare_names(each.key, entries[i].key), 0);
  }
  EXPECT_TRUE(cache.find("libno-such-thing.so.1").value().empty());
  EXPECT_TRUE(cache.find("").value().empty());
}

// A tree with one library in three places, and the cache that ldconfig makes of it.
class BuiltCache : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "whyso_cache_" + std::to_string(getpid());
    const std::string script = fmt::format(
        "set -e; mkdir -p {0}/etc {0}/opt/a/glibc-hwcaps/x86-64-v2 {0}/opt/b {0}/lib {0}/usr/lib; "
        "echo /opt/a > {0}/etc/ld.so.conf; echo /opt/b >> {0}/etc/ld.so.conf; "
        "echo 'int f(void){{return 1;}}' > {0}/f.c; "
        "for d in opt/a opt/a/glibc-hwcaps/x86-64-v2 opt/b; do for n in f.so.1 f.so.10 f.so.9; do "
        "gcc -shared -fPIC -nostdlib {0}/f.c -Wl,-soname,lib$n -o {0}/$d/lib$n; done; done; "
        "PATH=$PATH:/sbin ldconfig -X -r {0} -c {1}",
        root_, GetParam());
    if (!runs(script)) GTEST_SKIP() << "needs gcc and an ldconfig that knows -c " << GetParam();
    bytes_ = read_file(root_ + "/etc/ld.so.cache");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  [[nodiscard]] Cache cache() const { return Cache::parse(bytes_of(bytes_), "cache").value(); }

  std::string root_;
  std::string bytes_;
};

TEST_P(BuiltCache, agrees_with_the_ldconfig_that_made_it) {
  const Lines pairs = pairs_of(cache());
  EXPECT_GE(pairs.size(), 6U);
  EXPECT_EQ(pairs, pairs_by_ldconfig("-r " + root_));
  const std::map<std::string, CacheFormat> formats = {{"new", CacheFormat::current},
                                                      {"compat", CacheFormat::compatible},
                                                      {"old", CacheFormat::old}};
  EXPECT_EQ(cache().format(), formats.at(GetParam()));
  EXPECT_EQ(cache().generator().value().has_value(), cache().format() != CacheFormat::old);
}

TEST_P(BuiltCache, gives_the_entries_of_a_name_in_the_order_of_the_file) {
  const auto found = cache().find("libf.so.010").value();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.front().is_hwcaps_extension(), cache().format() != CacheFormat::old);
  EXPECT_EQ(found.back().value, "/opt/b/libf.so.10");
  EXPECT_EQ(found[1].value, "/opt/a/libf.so.10");
}

TEST_P(BuiltCache, cut_or_changed_anywhere_it_is_answered) {
  const auto ask = [](const std::string& bytes) {
    const auto cache = Cache::parse(bytes_of(bytes), "cache");
    if (!cache) return false;
    return cache->entries() && cache->find("libf.so.9") && cache->hwcaps_names() &&
           cache->generator();
  };
  EXPECT_TRUE(ask(bytes_));
  for (std::size_t size = 0; size < bytes_.size(); ++size) ask(bytes_.substr(0, size));
  EXPECT_FALSE(ask(bytes_.substr(0, 40)));
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string changed = bytes_;
      changed[at] = value;
      ask(changed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, BuiltCache, testing::Values("new", "compat", "old"));

TEST(Cache, of_the_other_byte_order_or_of_nothing_is_refused) {
  std::string bytes = "glibc-ld.so.cache1.1" + std::string(28, '\0');
  EXPECT_EQ(Cache::parse(bytes_of(bytes), "c").value().size(), 0U);
  bytes[28] = 3;
  EXPECT_EQ(Cache::parse(bytes_of(bytes), "c").error().text(),
            "c: the cache is of the other byte order");
  EXPECT_EQ(Cache::parse(bytes_of(bytes), "c", ByteOrder::big).value().size(), 0U);
  EXPECT_EQ(Cache::parse({}, "c").error().text(), "c: not a cache of ldconfig: unknown magic");
  bytes[28] = 2;
  bytes[20] = 9;
  EXPECT_EQ(Cache::parse(bytes_of(bytes), "c").error().text(),
            "c: the table of 9 entries does not lie inside the cache");
}

TEST(Names, compare_digit_runs_as_numbers) {
  EXPECT_LT(compare_names("libx.so.9", "libx.so.10"), 0);
  EXPECT_EQ(compare_names("libx.so.01", "libx.so.1"), 0);
  EXPECT_GT(compare_names("libx.so.1", "libx.so"), 0);
  EXPECT_LT(compare_names("lib", "lib1"), 0);
  EXPECT_GT(compare_names("lib1", "lib-"), 0);
  EXPECT_LT(compare_names("", "a"), 0);
}

}  // namespace
}  // namespace whyso::ldso
