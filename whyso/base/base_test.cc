// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "whyso/base/bytes.h"
#include "whyso/base/file_bytes.h"
#include "whyso/base/hash.h"
#include "whyso/base/json.h"
#include "whyso/base/parallel.h"
#include "whyso/base/path.h"
#include "whyso/base/text.h"
#include "whyso/base/toml.h"

namespace whyso {
namespace {

FileBytes in_pieces(const std::string& content, std::size_t& reads) {
  return {content.size(), [&content, &reads](std::uint64_t offset, std::size_t length) {
            ++reads;
            return Blob(content.substr(offset, length));
          }};
}

TEST(Parallel, calls_growing_work_once_for_each_slot) {
  // A tree of 3 levels: each of the first 1111 slots adds ten.
  std::mutex mutex;
  std::size_t slots = 1;
  std::vector<int> calls(11'111, 0);
  for_each_growing(1, [&](std::size_t i) -> std::size_t {
    const std::lock_guard lock(mutex);
    ++calls[i];
    if (i >= 1111) return 0;
    slots += 10;
    return 10;
  });
  EXPECT_EQ(slots, calls.size());
  EXPECT_TRUE(std::ranges::all_of(calls, [](int count) { return count == 1; }));
  for_each_growing(0, [](std::size_t) -> std::size_t { throw std::runtime_error("never"); });
}

TEST(Parallel, growing_work_that_throws_ends) {
  std::atomic<int> calls = 0;
  const auto work = [&](std::size_t i) -> std::size_t {
    ++calls;
    if (i == 3) throw std::runtime_error("three");
    return 2;
  };
  EXPECT_THROW(for_each_growing(1, work), std::runtime_error);
}

TEST(FileBytes, in_pieces_are_those_of_the_whole_file) {
  std::string content;
  for (int i = 0; content.size() < 100'000; ++i) content += std::to_string(i) + " ";
  std::size_t reads = 0;
  const FileBytes pieces = in_pieces(content, reads);
  const FileBytes whole{Blob(content)};
  EXPECT_TRUE(whole.is_whole());
  EXPECT_FALSE(pieces.is_whole());
  for (const std::uint64_t offset : {0UL, 64UL, 50'000UL, 52'000UL, content.size() - 7}) {
    EXPECT_EQ(text_of(*pieces.slice(offset, 7)), text_of(*whole.slice(offset, 7)));
    const Bytes tail = *pieces.tail(offset, 1000);
    EXPECT_GE(tail.size(), std::min<std::size_t>(1000, content.size() - offset));
    EXPECT_TRUE(text_of(*whole.tail(offset, 1000)).starts_with(text_of(tail)));
  }
  EXPECT_EQ(reads, 3U) << "what lies near is read once";
}

TEST(FileBytes, are_not_there_behind_the_end_nor_where_nothing_can_be_read) {
  std::size_t reads = 0;
  const std::string content(10, 'x');
  const FileBytes pieces = in_pieces(content, reads);
  EXPECT_FALSE(pieces.slice(4, 7));
  EXPECT_FALSE(pieces.slice(11, 0));
  EXPECT_FALSE(pieces.tail(11, 1));
  EXPECT_FALSE(pieces.slice(~0ULL, 2));
  EXPECT_EQ(reads, 0U);
  const FileBytes refused(1000, [](std::uint64_t, std::size_t) { return Blob(); });
  EXPECT_FALSE(refused.slice(0, 10));
  const FileBytes large(1ULL << 40, [](std::uint64_t, std::size_t) { return Blob(); });
  EXPECT_FALSE(large.slice(0, FileBytes::longest_piece + 1)) << "too much for a piece";
}

TEST(Path, is_canonical_by_its_letters) {
  EXPECT_EQ(Path::parse("/a//./b/../c/")->text(), "/a/c");
  EXPECT_EQ(Path::parse("/../..")->text(), "/");
  EXPECT_FALSE(Path::parse("a/b"));
  EXPECT_FALSE(Path::parse(std::string_view("/a\0b", 4)));
}

TEST(Path, joins_a_relative_path_and_is_replaced_by_an_absolute_one) {
  const Path site = *Path::parse("/e/lib/site-packages");
  EXPECT_EQ(site.join("../../bin/x")->text(), "/e/bin/x");
  EXPECT_EQ(site.join("/etc/passwd")->text(), "/etc/passwd");
  EXPECT_EQ(Path().join("a")->text(), "/a");
}

TEST(Path, knows_what_lies_within_a_folder) {
  const Path folder = *Path::parse("/a/b");
  EXPECT_TRUE(Path::parse("/a/b/c")->is_within(folder));
  EXPECT_FALSE(Path::parse("/a/bc")->is_within(folder));
  EXPECT_EQ(Path::parse("/a/b/c/d")->within(folder), "c/d");
  EXPECT_EQ(folder.within(Path()), "a/b");
  EXPECT_EQ(folder.within(folder), "");
  EXPECT_EQ(folder.parent().parent().parent(), Path());
}

TEST(Path, refuses_a_component_that_is_none) {
  EXPECT_THROW(Path() / "a/b", std::logic_error);
  EXPECT_THROW(Path() / "..", std::logic_error);
}

TEST(Bytes, are_never_read_past_their_end) {
  const Bytes bytes = bytes_of("\x01\x02\x03\x04");
  EXPECT_EQ(read_integer<std::uint16_t>(bytes, 2, ByteOrder::little), 0x0403);
  EXPECT_EQ(read_integer<std::uint16_t>(bytes, 2, ByteOrder::big), 0x0304);
  EXPECT_FALSE(read_integer<std::uint16_t>(bytes, 3, ByteOrder::little));
  EXPECT_FALSE(slice(bytes, 2, UINT64_MAX));
  EXPECT_FALSE(read_c_string(bytes, 0));
  EXPECT_EQ(read_c_string(bytes_of(std::string_view("ab\0c", 4)), 1), "b");
}

TEST(Reader, fails_for_good_once_it_failed) {
  Reader reader(bytes_of("\x01\x02\x03"));
  EXPECT_EQ(reader.integer<std::uint16_t>(), 0x0201);
  EXPECT_FALSE(reader.integer<std::uint32_t>());
  EXPECT_FALSE(reader.integer<std::uint8_t>());
  EXPECT_TRUE(reader.has_failed());
}

TEST(Hash, agrees_with_published_digests) {
  // FIPS 180-2, appendix B.1, and RFC 1321 A.5.
  const Sha256 abc = sha256(bytes_of("abc"));
  EXPECT_EQ(hexadecimal(text_of(abc)),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hexadecimal(digest(HashAlgorithm::md5, bytes_of("abc"))),
            "900150983cd24fb0d6963f7d28e17f72");
  Hasher parts(HashAlgorithm::sha256);
  parts.update(bytes_of("a"));
  parts.update(bytes_of("bc"));
  EXPECT_EQ(parts.finish(), text_of(abc));
  EXPECT_FALSE(find_hash_algorithm("crc32"));
}

TEST(Hash, base64url_is_that_of_rfc_4648) {
  for (const auto& [raw, text] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"f", "Zg"}, {"fo", "Zm8"}, {"foo", "Zm9v"}, {"\xfb\xff", "-_8"}}) {
    EXPECT_EQ(base64url(raw), text);
    EXPECT_EQ(from_base64url(text), raw);
  }
  EXPECT_EQ(from_base64url("Zg=="), "f");
  EXPECT_FALSE(from_base64url("Z"));
  EXPECT_FALSE(from_base64url("Z+"));
}

TEST(Text, splits_and_trims) {
  EXPECT_EQ(split("a,,b", ',').size(), 3U);
  EXPECT_EQ(split("", ',').size(), 1U);
  EXPECT_EQ(lines_of("a\r\nb\n").size(), 2U);
  EXPECT_TRUE(lines_of("").empty());
  EXPECT_EQ(trim(" \ta b\n"), "a b");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(123), "123");
}

TEST(Text, counts_and_enumerates) {
  EXPECT_EQ(counted(1, "library"), "1 library");
  EXPECT_EQ(counted(1986, "library"), "1,986 libraries");
  const std::vector<std::string> words = {"a", "b", "c", "d", "e"};
  EXPECT_EQ(enumerated(std::span(words).first(1)), "a");
  EXPECT_EQ(enumerated(std::span(words).first(3)), "a, b and c");
  EXPECT_EQ(enumerated(words), "a, b, c and 2 more");
}

TEST(Text, shows_what_a_terminal_could_not) {
  EXPECT_EQ(printable("a\nb\xff\xc3\xa9"), "a\\x0ab\\xff\xc3\xa9");
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));
  EXPECT_FALSE(is_utf8("\xc0\xaf"));
  EXPECT_TRUE(is_utf8("\xf0\x9f\x98\x80"));
}

TEST(Text, finds_what_was_meant) {
  const std::vector<std::string> verbs = {"check", "why", "provides", "rule"};
  EXPECT_EQ(closest("chekc", verbs), std::vector<std::string>{"check"});
  EXPECT_TRUE(closest("xyzzy", verbs).empty());
  EXPECT_EQ(edit_distance("ab", "ba"), 1U);
}

TEST(Text, quotes_for_a_shell_only_where_needed) {
  EXPECT_EQ(shell_word("nvidia-nccl-cu12==2.27.5"), "nvidia-nccl-cu12==2.27.5");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Json, is_written_with_sorted_keys) {
  const json::Value value = json::Object{{"b", json::Array{1, true, nullptr}}, {"a", "x\"\n"}};
  EXPECT_EQ(json::write_compact(value), R"({"a":"x\"\u000a","b":[1,true,null]})");
}

TEST(Json, reads_what_it_wrote_and_refuses_the_rest) {
  const auto value = json::parse(R"({"a":[1,-2,0.5,"é",{}]})", "x.json");
  ASSERT_TRUE(value);
  EXPECT_EQ(json::parse(json::write(*value), ""), *value);
  EXPECT_EQ(json::parse("{", "x.json").error().where, "x.json");
  EXPECT_FALSE(json::parse(std::string(100000, '['), "deep"));
  EXPECT_FALSE(json::parse("\"\xff\"", "bytes"));
}

TEST(Toml, becomes_plain_values) {
  const auto value = toml::parse("[tool.whyso]\nuntil = 2026-12-31\nn = 3\n", "pyproject.toml");
  ASSERT_TRUE(value);
  const auto* section = value->find("tool")->find("whyso");
  EXPECT_EQ(*section->find("until")->find_text(), "2026-12-31");
  EXPECT_EQ(*section->find("n")->find_integer(), 3);
  EXPECT_EQ(toml::parse("a = \n", "p.toml").error().where.substr(0, 7), "p.toml:");
}

TEST(Toml, is_an_error_and_not_the_end_where_the_library_asserts) {
  for (const char* text : {"[!]\n", "[[!]]\n", "[\x01", "a.!=1", "a = \u00e9\n", "\ufc3f"}) {
    EXPECT_FALSE(toml::parse(text, "p.toml")) << text;
  }
}

TEST(Parallel, visits_every_index_once_and_passes_on_the_first_exception) {
  std::vector<int> seen(1000);
  for_each_index(seen.size(), [&](std::size_t i) { ++seen[i]; });
  EXPECT_EQ(seen, std::vector<int>(1000, 1));
  EXPECT_THROW(for_each_index(10,
                              [](std::size_t i) {
                                if (i == 3) throw std::runtime_error("three");
                              }),
               std::runtime_error);
  for_each_index(0, [](std::size_t) { FAIL(); });
}

TEST(Format, is_linked_from_our_own_archive) {
  EXPECT_EQ(fmt::format("{:>4}{:.1f}", 1, 0.25), "   10.2");
}

}  // namespace
}  // namespace whyso
