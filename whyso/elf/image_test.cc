// SPDX-License-Identifier: Apache-2.0
// What files of literal bytes say, and that damaged ones are answered and not crashed on.
#include "whyso/elf/image.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "whyso/elf/abi.h"

namespace whyso::elf {
namespace {

constexpr std::uint64_t base = 0x10000;
constexpr std::uint64_t strings_at = 0x200;
constexpr std::uint64_t table_at = 0x300;

// A 64-bit little-endian x86-64 library: header, LOAD and DYNAMIC and one more program header,
// dynamic section at 0x100, strings at 0x200, one table at 0x300. Addresses are offsets + base.
struct TinyLibrary {
  std::string bytes = std::string(0x400, '\0');

  TinyLibrary(std::string_view strings, std::vector<DynamicEntry> entries) {
    const std::string_view ident("\177ELF\2\1\1", 7);
    bytes.replace(0, ident.size(), ident);
    put<std::uint16_t>(16, 3);
    put<std::uint16_t>(18, 62);
    put<std::uint32_t>(20, 1);
    put<std::uint64_t>(32, 0x40);
    put<std::uint16_t>(54, 56);
    put<std::uint16_t>(56, 3);
    segment(0, {SegmentType::load, 5, 0, base, 0x400, 0x400, 0x1000});
    segment(1, {SegmentType::dynamic, 6, 0x100, base + 0x100, 0x100, 0x100, 8});
    bytes.replace(strings_at, strings.size(), strings);
    entries.push_back({Tag::string_table, base + strings_at});
    for (std::size_t i = 0; i < entries.size(); ++i) {
      put(0x100 + i * 16, static_cast<std::uint64_t>(entries[i].tag));
      put(0x108 + i * 16, entries[i].value);
    }
  }

  template <class T>
  void put(std::size_t at, T value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
      bytes[at + i] = static_cast<char>(value >> (8 * i));
  }

  void words(std::initializer_list<std::uint32_t> values) {
    std::size_t at = table_at;
    for (const std::uint32_t value : values) put(std::exchange(at, at + 4), value);
  }

  void segment(std::size_t index, const Segment& segment) {
    const std::size_t at = 0x40 + index * 56;
    put(at, static_cast<std::uint32_t>(segment.type));
    put(at + 4, segment.flags);
    put(at + 8, segment.offset);
    put(at + 16, segment.virtual_address);
    put(at + 32, segment.file_size);
    put(at + 40, segment.memory_size);
    put(at + 48, segment.alignment);
  }

  [[nodiscard]] ElfImage image() const { return ElfImage::parse(Blob(bytes), "/a.so").value(); }
};

TEST(ElfImage, refuses_only_what_has_no_magic_or_no_room_for_the_header) {
  const Blob pointer(std::string("version https://git-lfs.github.com/spec/v1\n"));
  EXPECT_EQ(ElfImage::parse(pointer, "/a.so").error(),
            (Error{ErrorKind::malformed, "/a.so", "not an ELF file: no ELF magic"}));
  EXPECT_EQ(ElfImage::parse(Blob(std::string("\177ELF\2\1\1")), "/a.so").error().what,
            "too short for an ELF header: 7 bytes");
  const std::string zeros(64, '\0');
  const auto strange = ElfImage::parse(Blob("\177ELF" + zeros));
  ASSERT_TRUE(strange);
  EXPECT_EQ(strange->segments().error().kind, ErrorKind::unsupported);
  EXPECT_TRUE(ElfImage::parse(Blob(std::string("\177ELF\1\1\1") + std::string(45, '\0'))));
  EXPECT_FALSE(ElfImage::parse(Blob(std::string("\177ELF\1\1\1") + std::string(44, '\0'))));
}

TEST(ElfImage, an_empty_string_differs_from_an_absent_one) {
  const TinyLibrary library(std::string_view("\0liba\0", 6),
                            {{Tag::needed, 1}, {Tag::runpath, 0}, {Tag::rpath, 1}});
  const ElfImage image = library.image();
  const Dynamic dynamic = image.dynamic().value().value();
  EXPECT_EQ(dynamic.needed, (std::vector<std::string_view>{"liba"}));
  EXPECT_EQ(dynamic.runpath, "");
  EXPECT_EQ(dynamic.rpath, "liba");
  EXPECT_EQ(dynamic.soname, std::nullopt);
}

TEST(ElfImage, keeps_the_place_of_filtees_among_the_needed) {
  const TinyLibrary library(
      std::string_view("\0a\0b\0c\0d", 8),
      {{Tag::needed, 1}, {Tag::auxiliary, 3}, {Tag::needed, 5}, {Tag::filter, 7}});
  const ElfImage image = library.image();
  const Dynamic dynamic = image.dynamic().value().value();
  EXPECT_EQ(dynamic.needed, (std::vector<std::string_view>{"a", "c"}));
  EXPECT_EQ(dynamic.filtees,
            (std::vector<Filtee>{{FilteeKind::auxiliary, "b", 1}, {FilteeKind::filter, "d", 2}}));
}

TEST(ElfImage, a_bad_name_spoils_dynamic_but_not_its_raw_entries) {
  const TinyLibrary library("", {{Tag::needed, 0x10000}, {Tag::flags_1, flag_1_nodeflib}});
  EXPECT_EQ(library.image().dynamic().error().text(),
            "/a.so: the name of DT_NEEDED at 0x10000 of the dynamic string table has no end there");
  EXPECT_EQ(library.image().dynamic_entries().value().value().size(), 3U);
}

TEST(ElfImage, reads_flags_and_tables) {
  const TinyLibrary library("", {{Tag::flags, flag_symbolic | flag_bind_now},
                                 {Tag::flags_1, flag_1_pie},
                                 {Tag::textrel, 0},
                                 {Tag::relr, 0x55},
                                 {Tag::relr_size, 16},
                                 {Tag::hash, 1},
                                 {Tag::hash, 2}});
  const ElfImage image = library.image();
  const Dynamic dynamic = image.dynamic().value().value();
  EXPECT_TRUE(dynamic.is_symbolic && dynamic.binds_now && dynamic.has_textrel);
  EXPECT_EQ(dynamic.flags_1, flag_1_pie);
  EXPECT_EQ(dynamic.tables.relr, (DynamicTable{0x55, 16}));
  EXPECT_EQ(dynamic.tables.hash, (DynamicTable{2, 0}));
  EXPECT_EQ(dynamic.tables.gnu_hash, std::nullopt);
}

TEST(ElfImage, finds_the_dynamic_section_by_its_address_as_the_loader_does) {
  TinyLibrary library(std::string_view("\0liba", 5), {{Tag::needed, 1}});
  library.segment(1, {SegmentType::dynamic, 6, 0x3000, base + 0x100, 0x100, 0x100, 8});
  EXPECT_EQ(library.image().dynamic().value()->needed.size(), 1U);
  library.segment(1, {SegmentType::dynamic, 6, 0x100, base + 0x1000, 0x100, 0x100, 8});
  EXPECT_EQ(library.image().dynamic().error().text(),
            "/a.so: the dynamic section at address 0x11000 lies in no loadable segment");
  library.segment(1, {SegmentType::dynamic, 6, 0x100, base + 0x100, 0, 0x100, 8});
  EXPECT_FALSE(library.image().dynamic().value());
}

TEST(ElfImage, says_how_many_bytes_are_missing) {
  TinyLibrary library("", {});
  EXPECT_EQ(library.image().missing_bytes().value(), 0U);
  library.segment(2, {SegmentType::load, 6, 0x300, base + 0x1300, 0x123, 0x500, 0x1000});
  EXPECT_EQ(library.image().missing_bytes().value(), 0x23U);
  library.segment(2, {SegmentType::load, 6, ~0ULL, base, 0x123, 0x500, 0x1000});
  EXPECT_FALSE(library.image().missing_bytes());
}

TEST(ElfImage, tells_an_absent_stack_request_from_both_others) {
  TinyLibrary library("", {});
  EXPECT_EQ(library.image().gnu_stack().value(), GnuStack::absent);
  library.segment(2, {SegmentType::gnu_stack, 7, 0, 0, 0, 0, 16});
  EXPECT_EQ(library.image().gnu_stack().value(), GnuStack::executable);
  library.segment(2, {SegmentType::gnu_stack, 6, 0, 0, 0, 0, 16});
  EXPECT_EQ(library.image().gnu_stack().value(), GnuStack::not_executable);
}

TEST(ElfImage, reads_the_cpu_level_that_a_property_asks_for) {
  TinyLibrary library("", {});
  // Two properties: feature 1 (IBT, SHSTK), ISA 1 needed (baseline, v2, v3).
  library.words({4, 32, 5, 0x00554e47, 0xc0000002, 4, 3, 0, 0xc0008002, 4, 7, 0});
  library.segment(2, {SegmentType::note, 4, table_at, base + table_at, 48, 48, 8});
  const Notes notes = library.image().notes().value();
  EXPECT_EQ(notes.x86_isa_needed, x86_isa_baseline | x86_isa_v2 | x86_isa_v3);
  EXPECT_EQ(notes.properties.size(), 2U);
  library.put<std::uint32_t>(table_at, 400);
  EXPECT_EQ(library.image().notes().error().text(), "/a.so: a note at offset 0x300 is cut short");
}

TEST(ElfImage, a_list_of_versions_that_never_ends_is_an_error) {
  TinyLibrary library(
      "", {{Tag::version_needs, base + table_at}, {Tag::symbol_table, base + table_at}});
  // vn_version 1, vn_cnt 1, file, aux at itself + 16; its aux leads on by 16 for ever.
  library.words({0x00010001, 0, 16, 0, 0, 0, 0, 16});
  for (std::size_t at = table_at + 16; at < 0x400; at += 16)
    library.put<std::uint32_t>(at + 12, 16);
  EXPECT_EQ(library.image().version_needs().error().text(),
            "/a.so: the table of needed versions: a record at 0x100 lies outside its segment");
  EXPECT_TRUE(library.image().symbols());
}

TEST(ElfImage, a_hash_chain_that_loops_is_an_error) {
  TinyLibrary library("", {{Tag::hash, base + table_at}, {Tag::symbol_table, base + strings_at}});
  library.words({1, 3, 1, 0, 2, 1});
  EXPECT_EQ(library.image().symbols()->find({.name = "f"}).error().what,
            "a chain of DT_HASH runs in a loop");
  library.words({1, 3, 1, 0, 200, 1});
  EXPECT_EQ(library.image().symbols()->find({.name = "f"}).error().what,
            "a chain of DT_HASH lies outside its table");
}

TEST(ElfImage, a_hash_table_has_64_bit_words_on_64_bit_s390) {
  TinyLibrary library(std::string_view("\0f", 2),
                      {{Tag::hash, base + table_at}, {Tag::symbol_table, base + 0x280}});
  library.put<std::uint32_t>(0x280 + 24, 1);
  library.put<std::uint16_t>(0x280 + 28, 0x0012);
  library.put<std::uint16_t>(0x280 + 30, 1);
  library.put<std::uint64_t>(0x280 + 32, 5);
  library.words({1, 0, 2, 0, 1, 0, 0, 0, 0, 0});
  EXPECT_FALSE(library.image().symbols()->find({.name = "f"}));
  library.put<std::uint16_t>(18, static_cast<std::uint16_t>(Machine::s390));
  EXPECT_EQ(library.image().symbols()->find({.name = "f"}).value()->value, 5U);
  EXPECT_EQ(library.image().symbols()->count().value(), 2U);
}

TEST(Abi, has_the_names_that_people_use) {
  const auto name = [](ElfClass elf_class, ByteOrder order, Machine machine) {
    return name_of(Abi{elf_class, order, machine});
  };
  EXPECT_EQ(name(ElfClass::elf64, ByteOrder::little, Machine::x86_64), "x86-64");
  EXPECT_EQ(name(ElfClass::elf32, ByteOrder::little, Machine::x86_64), "x32");
  EXPECT_EQ(name(ElfClass::elf32, ByteOrder::little, Machine::i386), "i386");
  EXPECT_EQ(name(ElfClass::elf64, ByteOrder::little, Machine::aarch64), "AArch64");
  EXPECT_EQ(name(ElfClass::elf64, ByteOrder::big, Machine::aarch64), "big-endian AArch64");
  EXPECT_EQ(name(ElfClass::elf64, ByteOrder::little, Machine::powerpc64),
            "little-endian PowerPC64");
  EXPECT_EQ(name(ElfClass::elf64, ByteOrder::big, Machine::s390), "64-bit s390");
  EXPECT_EQ(name(ElfClass::elf32, ByteOrder::little, Machine{999}),
            "little-endian 32-bit machine 999");
  EXPECT_EQ(name_of(ElfClass::elf32), "ELFCLASS32");
}

TEST(Abi, is_shared_by_objects_of_one_class_order_machine_and_convention) {
  const Header library = TinyLibrary("", {}).image().header();
  Header other = library;
  EXPECT_TRUE(can_share_process(abi_of(library), abi_of(other)));
  other.elf_class = ElfClass::elf32;
  EXPECT_FALSE(can_share_process(abi_of(library), abi_of(other)));
  other = library;
  other.machine = Machine::aarch64;
  EXPECT_FALSE(can_share_process(abi_of(library), abi_of(other)));
  const Abi soft{ElfClass::elf64, ByteOrder::little, Machine::riscv, 0};
  const Abi hard{ElfClass::elf64, ByteOrder::little, Machine::riscv, 4};
  EXPECT_FALSE(can_share_process(soft, hard));
}

// Asks every table; what they answer does not matter, only that they do.
std::size_t ask_everything(const std::string& bytes) {
  const auto image = ElfImage::parse(Blob(bytes), "damaged");
  if (!image) return 0;
  std::size_t answers = image->segments().has_value();
  answers += image->missing_bytes().has_value();
  answers += image->interpreter().has_value();
  answers += image->dynamic_entries().has_value();
  answers += image->dynamic().has_value();
  answers += image->version_needs().has_value();
  answers += image->version_definitions().has_value();
  answers += image->notes().has_value();
  answers += image->gnu_stack().has_value();
  const auto symbols = image->symbols();
  if (!symbols) return answers;
  answers += symbols->all().has_value();
  for (const char* name : {"one", "two", "three", "absent"}) {
    answers += symbols->find({.name = name}).has_value();
    answers += symbols->find({.name = name, .version = "V_2"}).has_value();
  }
  return answers;
}

std::string small_library() {
  const std::string path = testing::TempDir() + "whyso_damage_" + std::to_string(getpid());
  std::ofstream(path + ".c")
      << "int one(void){return 1;} int two(void){return one();} int three;\n";
  std::ofstream(path + ".map")
      << "V_1 { global: one; local: *; }; V_2 { global: two; three; } V_1;\n";
  const std::string command = "gcc -shared -fPIC " + path +
                              ".c -Wl,--hash-style=both,--version-script=" + path + ".map -o " +
                              path + ".so 2>/dev/null";
  std::string bytes;
  if (std::system(command.c_str()) == 0) {
    std::ifstream file(path + ".so", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (const char* suffix : {".c", ".map", ".so"}) std::filesystem::remove(path + suffix);
  return bytes;
}

constexpr std::size_t all_answers = 18;

TEST(Damage, a_file_cut_at_any_byte_of_its_first_4_kib_is_answered) {
  const std::string bytes = small_library();
  if (bytes.empty()) GTEST_SKIP() << "needs gcc";
  EXPECT_EQ(ask_everything(bytes), all_answers);
  for (std::size_t size = 0; size < 4096; ++size) ask_everything(bytes.substr(0, size));
  const auto cut = ElfImage::parse(Blob(bytes.substr(0, 4096)), "cut");
  EXPECT_GT(cut->missing_bytes().value(), 0U);
  EXPECT_TRUE(cut->notes());
  EXPECT_FALSE(cut->dynamic());
}

TEST(Damage, a_file_with_any_byte_changed_is_answered) {
  const std::string bytes = small_library();
  if (bytes.empty()) GTEST_SKIP() << "needs gcc";
  std::uint64_t state = 88172645463325252;
  for (int round = 0; round < 20000; ++round) {
    std::string changed = bytes.substr(0, 0x3200);
    for (int i = 0; i <= round % 4; ++i) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      // Half of the changes fall on the first KiB, where most tables of a small library are.
      changed[state % (round % 2 == 0 ? 0x400 : changed.size())] = static_cast<char>(state >> 32);
    }
    ask_everything(changed);
  }
}

FileBytes in_pieces(const std::string& path) {
  const auto file = std::make_shared<std::ifstream>(path, std::ios::binary);
  return {std::filesystem::file_size(path), [file](std::uint64_t offset, std::size_t length) {
            std::string part(length, '\0');
            file->clear();
            file->seekg(static_cast<std::streamoff>(offset));
            file->read(part.data(), static_cast<std::streamsize>(length));
            part.resize(static_cast<std::size_t>(file->gcount()));
            return Blob(std::move(part));
          }};
}

/// Everything that is read in pieces, as text.
std::string facts_of(const ElfImage& image) {
  std::string text;
  const auto dynamic = image.dynamic();
  const auto needs = image.version_needs();
  const auto definitions = image.version_definitions();
  const auto notes = image.notes();
  const auto interpreter = image.interpreter();
  if (!dynamic || !needs || !definitions || !notes || !interpreter) return "a table fails";
  if (*interpreter) text += std::string(**interpreter) + "\n";
  if (*dynamic) {
    text += std::string((*dynamic)->soname.value_or("")) + "\n";
    for (const auto& name : (*dynamic)->needed) text += std::string(name) + "\n";
  }
  for (const VersionNeed& need : *needs) {
    text += std::string(need.file) + ":";
    for (const NeededVersion& version : need.versions) text += " " + std::string(version.name);
  }
  for (const VersionDefinition& definition : *definitions)
    text += " " + std::string(definition.name);
  return text + std::to_string(notes->all.size());
}

TEST(Image, in_pieces_says_the_same_or_fails) {
  const std::filesystem::path folder = "/usr/lib/x86_64-linux-gnu";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there is no such folder";
  std::size_t same = 0;
  std::size_t failed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || path.find(".so") == std::string::npos) continue;
    std::ifstream file(path, std::ios::binary);
    const auto whole = ElfImage::parse(Blob(std::string(std::istreambuf_iterator<char>(file), {})));
    const auto pieces = ElfImage::parse(in_pieces(path));
    ASSERT_EQ(whole.has_value(), pieces.has_value()) << path;
    if (!whole) continue;
    const std::string said = facts_of(*pieces);
    const bool is_failed = said == "a table fails";
    if (!is_failed) {
      EXPECT_EQ(said, facts_of(*whole)) << path;
    }
    ++(is_failed ? failed : same);
  }
  EXPECT_LE(failed, same / 4) << "hardly worth it";
}

}  // namespace
}  // namespace whyso::elf
