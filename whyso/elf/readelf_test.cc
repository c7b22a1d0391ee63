// SPDX-License-Identifier: Apache-2.0
// Every table of real and of foreign files, compared with what readelf says of the same file.
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
#include <sstream>

#include "whyso/base/hash.h"
#include "whyso/base/text.h"
#include "whyso/elf/image.h"

namespace whyso::elf {
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

bool has_tool(const std::string& name) {
  return std::system(fmt::format("command -v {} >/dev/null 2>&1", name).c_str()) == 0;
}

Blob blob_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Blob(std::string(std::istreambuf_iterator<char>(file), {}));
}

template <class T>
T value_of(Result<T> result) {
  return std::move(result).value();
}

Lines words_of(std::string_view line) {
  std::istringstream stream{std::string(line)};
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string between(std::string_view line, std::string_view before, std::string_view after) {
  const std::size_t from = line.find(before);
  if (from == std::string_view::npos) return {};
  const std::size_t start = from + before.size();
  return std::string(line.substr(start, line.find(after, start) - start));
}

Lines readelf(const std::string& options, const std::string& path) {
  Lines lines;
  const std::string text =
      output_of(fmt::format("LC_ALL=C readelf -W {} {} 2>/dev/null", options, path));
  for (const std::string_view line : lines_of(text)) lines.emplace_back(line);
  return lines;
}

void expect_header_agrees(const ElfImage& image, const std::string& path) {
  std::map<std::string, std::string> said;
  for (const std::string& line : readelf("-h", path)) {
    const auto colon = line.find(':');
    if (colon != std::string::npos) {
      said[std::string(trim(line.substr(0, colon)))] = trim(line.substr(colon + 1));
    }
  }
  const Header& header = image.header();
  EXPECT_EQ(said["Class"], header.elf_class == ElfClass::elf64 ? "ELF64" : "ELF32");
  EXPECT_EQ(said["Data"].ends_with("big endian"), header.byte_order == ByteOrder::big);
  EXPECT_EQ(said["Entry point address"], fmt::format("{:#x}", header.entry));
  EXPECT_EQ(words_of(said["Start of program headers"])[0],
            std::to_string(header.program_header_offset));
  EXPECT_EQ(words_of(said["Size of program headers"])[0],
            std::to_string(header.program_header_size));
  EXPECT_EQ(said["Number of program headers"], std::to_string(header.program_header_count));
  EXPECT_EQ(said["Flags"].substr(0, said["Flags"].find(',')), fmt::format("{:#x}", header.flags));
}

std::string name_of_type(SegmentType type) {
  static const std::map<SegmentType, std::string> names = {
      {SegmentType::load, "LOAD"},
      {SegmentType::dynamic, "DYNAMIC"},
      {SegmentType::interpreter, "INTERP"},
      {SegmentType::note, "NOTE"},
      {SegmentType::program_headers, "PHDR"},
      {SegmentType::thread_local_storage, "TLS"},
      {SegmentType::gnu_eh_frame, "GNU_EH_FRAME"},
      {SegmentType::gnu_stack, "GNU_STACK"},
      {SegmentType::gnu_relro, "GNU_RELRO"},
      {SegmentType::gnu_property, "GNU_PROPERTY"},
  };
  return names.at(type);
}

void expect_segments_agree(const ElfImage& image, const std::string& path) {
  Lines said;
  std::string interpreter;
  for (const std::string& line : readelf("-l", path)) {
    if (line.contains("[Requesting")) interpreter = between(line, "interpreter: ", "]");
    const Lines words = words_of(line);
    if (words.size() < 7 || !words[1].starts_with("0x")) continue;
    std::string flags;
    for (std::size_t i = 6; i + 1 < words.size(); ++i) flags += words[i];
    const auto number = [&](std::size_t i) { return std::stoull(words[i], nullptr, 16); };
    said.push_back(fmt::format("{} {:#x} {:#x} {:#x} {:#x} {} {}", words[0], number(1), number(2),
                               number(4), number(5), flags, words.back()));
  }
  Lines read;
  for (const Segment& segment : value_of(image.segments())) {
    const auto flag = [&](std::uint32_t bit, const char* letter) {
      return segment.flags & bit ? letter : "";
    };
    read.push_back(fmt::format("{} {:#x} {:#x} {:#x} {:#x} {}{}{} {:#x}",
                               name_of_type(segment.type), segment.offset, segment.virtual_address,
                               segment.file_size, segment.memory_size, flag(4, "R"), flag(2, "W"),
                               flag(1, "E"), segment.alignment));
  }
  EXPECT_EQ(read, said);
  EXPECT_EQ(value_of(image.interpreter()).value_or(""), interpreter);
}

void expect_dynamic_agrees(const ElfImage& image, const std::string& path) {
  Lines tags;
  std::map<std::string, Lines> names;
  for (const std::string& line : readelf("-d", path)) {
    if (!line.starts_with(" 0x")) continue;
    tags.push_back(fmt::format("{:#x}", std::stoull(words_of(line)[0], nullptr, 16)));
    if (line.contains('[')) names[between(line, "(", ")")].push_back(between(line, "[", "]"));
  }
  const auto entries = value_of(image.dynamic_entries());
  ASSERT_EQ(entries.has_value(), !tags.empty());
  if (!entries) return;
  Lines read;
  for (const DynamicEntry& entry : *entries) {
    read.push_back(fmt::format("{:#x}", static_cast<std::uint64_t>(entry.tag)));
  }
  read.emplace_back("0x0");
  tags.erase(std::find(tags.begin(), tags.end(), "0x0") + 1, tags.end());
  EXPECT_EQ(read, tags);
  const Dynamic dynamic = *value_of(image.dynamic());
  EXPECT_EQ(Lines(dynamic.needed.begin(), dynamic.needed.end()), names["NEEDED"]);
  const auto one = [](const auto& text) { return text ? Lines{std::string(*text)} : Lines(); };
  EXPECT_EQ(one(dynamic.soname), names["SONAME"]);
  EXPECT_EQ(one(dynamic.rpath), names["RPATH"]);
  EXPECT_EQ(one(dynamic.runpath), names["RUNPATH"]);
}

std::string name_with_version(const Symbol& symbol) {
  // readelf leaves a version out where the symbol is the version's own.
  if (!symbol.version || symbol.version->name == symbol.name) return std::string(symbol.name);
  const bool is_default = symbol.version->file.empty() && !symbol.version->is_hidden;
  return fmt::format("{}{}{}", symbol.name, is_default ? "@@" : "@", symbol.version->name);
}

std::string section_name(std::uint16_t section) {
  if (section == section_undefined) return "UND";
  return section == section_absolute ? "ABS" : std::to_string(section);
}

std::string line_of(const Symbol& symbol, std::uint64_t index) {
  static const std::map<SymbolType, std::string> types = {
      {SymbolType::none, "NOTYPE"},
      {SymbolType::object, "OBJECT"},
      {SymbolType::function, "FUNC"},
      {SymbolType::section, "SECTION"},
      {SymbolType::file, "FILE"},
      {SymbolType::common, "COMMON"},
      {SymbolType::thread_local_storage, "TLS"},
      {SymbolType::gnu_indirect_function, "IFUNC"}};
  static const std::map<SymbolBinding, std::string> bindings = {
      {SymbolBinding::local, "LOCAL"},
      {SymbolBinding::global, "GLOBAL"},
      {SymbolBinding::weak, "WEAK"},
      {SymbolBinding::gnu_unique, "UNIQUE"}};
  static const std::array<std::string, 4> visibilities = {"DEFAULT", "INTERNAL", "HIDDEN",
                                                          "PROTECTED"};
  return fmt::format("{} {:#x} {} {} {} {} {} {}", index, symbol.value, symbol.size,
                     types.at(symbol.type), bindings.at(symbol.binding),
                     visibilities.at(static_cast<std::size_t>(symbol.visibility)),
                     section_name(symbol.section), name_with_version(symbol));
}

Lines symbols_by_readelf(const std::string& path) {
  Lines said;
  for (const std::string& line : readelf("--dyn-syms", path)) {
    const Lines words = words_of(line);
    if (words.size() < 7 || !words[0].ends_with(':') || words[0] == "Num:" || words[0] == "0:")
      continue;
    said.push_back(
        fmt::format("{} {:#x} {} {} {} {} {} {}", words[0].substr(0, words[0].size() - 1),
                    std::stoull(words[1], nullptr, 16), std::stoull(words[2], nullptr, 0), words[3],
                    words[4], words[5], words[6], words.size() > 7 ? words[7] : ""));
  }
  return said;
}

void expect_symbols_agree(const ElfImage& image, const std::string& path) {
  const SymbolTable table = value_of(image.symbols());
  ASSERT_FALSE(table.version_damage()) << table.version_damage()->text();
  Lines read;
  std::uint64_t index = 1;
  for (const Symbol& symbol : value_of(table.all())) {
    read.push_back(line_of(symbol, index++));
    if (symbol.is_undefined() || symbol.value == 0 || !symbol.version) continue;
    EXPECT_EQ(value_of(table.find({symbol.name, symbol.version->name})), symbol) << symbol.name;
  }
  EXPECT_EQ(read, symbols_by_readelf(path));
}

std::string flags_text(std::uint16_t flags) {
  std::string text;
  if ((flags & version_is_base) != 0) text += "BASE ";
  if ((flags & version_is_weak) != 0) text += text.empty() ? "WEAK " : "| WEAK ";
  return text.empty() ? "none " : text;
}

void expect_versions_agree(const ElfImage& image, const std::string& path) {
  Lines said;
  for (const std::string& line : readelf("-V", path)) {
    for (const std::string_view start : {"Rev: ", "Parent ", "Version: 1  File", "Name: "}) {
      const std::size_t at = line.find(start);
      if (!line.starts_with("  0") || at == std::string::npos || line.contains("Addr:")) continue;
      said.push_back(fmt::format("{}", fmt::join(words_of(line.substr(at)), " ")));
      break;
    }
  }
  Lines read;
  for (const VersionDefinition& definition : value_of(image.version_definitions())) {
    read.push_back(fmt::format("Rev: 1 Flags: {}Index: {} Cnt: {} Name: {}",
                               flags_text(definition.flags), definition.index,
                               definition.parents.size() + 1, definition.name));
    for (std::size_t i = 0; i < definition.parents.size(); ++i) {
      read.push_back(fmt::format("Parent {}: {}", i + 1, definition.parents[i]));
    }
  }
  for (const VersionNeed& need : value_of(image.version_needs())) {
    read.push_back(fmt::format("Version: 1 File: {} Cnt: {}", need.file, need.versions.size()));
    for (const NeededVersion& version : need.versions) {
      read.push_back(fmt::format("Name: {} Flags: {}Version: {}", version.name,
                                 flags_text(version.flags), version.index));
    }
  }
  EXPECT_EQ(read, said);
}

void expect_notes_agree(const ElfImage& image, const std::string& path) {
  std::string build_id;
  std::string abi;
  for (const std::string& line : readelf("-n", path)) {
    if (line.contains("Build ID: ")) build_id = between(line, "Build ID: ", "\n");
    if (line.contains("OS: Linux")) abi = between(line, "ABI: ", "\n");
  }
  const Notes notes = value_of(image.notes());
  EXPECT_EQ(notes.build_id ? hexadecimal(text_of(*notes.build_id)) : "", build_id);
  const auto tag = notes.abi_tag.value_or(AbiTag{.operating_system = 99});
  EXPECT_EQ(
      tag.operating_system == 0 ? fmt::format("{}.{}.{}", tag.major, tag.minor, tag.patch) : "",
      abi);
}

void expect_agrees_with_readelf(const std::string& path) {
  SCOPED_TRACE(path);
  const auto image = ElfImage::parse(blob_of(path), path);
  ASSERT_TRUE(image) << image.error().text();
  expect_header_agrees(*image, path);
  expect_segments_agree(*image, path);
  expect_dynamic_agrees(*image, path);
  expect_symbols_agree(*image, path);
  expect_versions_agree(*image, path);
  expect_notes_agree(*image, path);
  EXPECT_EQ(value_of(image->missing_bytes()), 0U);
}

class Readelf : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_tool("readelf") || !has_tool("gcc")) GTEST_SKIP() << "needs readelf and gcc";
    folder_ = testing::TempDir() + "whyso_readelf_" + std::to_string(getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string in_folder(const std::string& name) const {
    return folder_ + "/" + name;
  }

  void write(const std::string& name, std::string_view text) const {
    std::ofstream(in_folder(name)) << text;
  }

  // False where this machine's compiler cannot do that.
  [[nodiscard]] bool runs(const std::string& command) const {
    return std::system(fmt::format("cd {} && {} >/dev/null 2>&1", folder_, command).c_str()) == 0;
  }

  void write_library() const {
    write("lib.c",
          "int one(void){return 1;} int two_old(void){return 2;} int two_new(void){return 3;}\n"
          "__asm__(\".symver two_old,two@V_1\"); __asm__(\".symver two_new,two@@V_2\");\n"
          "__thread int local; extern int away(void) __attribute__((weak));\n"
          "int three(void){return away ? away() : local;}\n"
          "__attribute__((visibility(\"protected\"))) int table[7] = {1};\n");
    write("lib.map",
          "V_1 { global: one; two; local: two_*; };\nV_2 { global: three; table; } V_1;\n");
  }

  std::string folder_;
};

constexpr const char* library_options =
    "-shared -fPIC -nostdlib lib.c -Wl,--version-script=lib.map -Wl,-soname,libours.so.1 "
    "-Wl,-rpath,'$ORIGIN/../lib' -Wl,--build-id";

TEST_F(Readelf, agrees_on_a_library_with_versions) {
  write_library();
  for (const std::string extra :
       {"-o a.so", "-o b.so -Wl,--hash-style=sysv", "-o c.so -Wl,--disable-new-dtags",
        "-o d.so -Wl,--hash-style=both -Wl,-z,now,-z,nodelete,-z,execstack"}) {
    ASSERT_TRUE(runs(fmt::format("gcc {} {}", library_options, extra)));
    expect_agrees_with_readelf(in_folder(words_of(extra)[1]));
  }
}

TEST_F(Readelf, agrees_on_a_library_of_the_other_class) {
  write_library();
  if (!runs(fmt::format("gcc -m32 {} -o m32.so", library_options)))
    GTEST_SKIP() << "needs gcc -m32";
  expect_agrees_with_readelf(in_folder("m32.so"));
}

TEST_F(Readelf, agrees_on_programs) {
  write("main.c",
        "#include <stdio.h>\nint main(void){fprintf(stderr, \"%p\", (void*)main);return 0;}\n");
  ASSERT_TRUE(runs("gcc main.c -o pie"));
  expect_agrees_with_readelf(in_folder("pie"));
  ASSERT_TRUE(runs("gcc -no-pie main.c -lm -Wl,--no-as-needed -o fixed"));
  expect_agrees_with_readelf(in_folder("fixed"));
  if (runs("gcc -static main.c -o static")) expect_agrees_with_readelf(in_folder("static"));
}

TEST_F(Readelf, agrees_on_the_libraries_of_the_compiler) {
  for (const char* name : {"libc.so.6", "libstdc++.so.6", "libm.so.6", "libgcc_s.so.1"}) {
    const std::string path = output_of(fmt::format("gcc -print-file-name={}", name));
    expect_agrees_with_readelf(std::string(trim(path)));
  }
}

constexpr std::string_view foreign_yaml = R"(--- !ELF
FileHeader: {Class: ELFCLASS[[CLASS]], Data: ELFDATA[[DATA]], Type: ET_DYN, Machine: EM_[[MACHINE]]}
ProgramHeaders:
  - {Type: PT_LOAD, Flags: [PF_R, PF_W], VAddr: 0x11000, MemSize: 0x2000, FirstSec: .dynsym, LastSec: .dynamic}
  - {Type: PT_DYNAMIC, Flags: [PF_R], VAddr: 0x11400, FirstSec: .dynamic, LastSec: .dynamic}
Sections:
  - {Name: .dynsym, Type: SHT_DYNSYM, Flags: [SHF_ALLOC], Address: 0x11000, Offset: 0x1000}
  - {Name: .gnu.version, Type: SHT_GNU_versym, Flags: [SHF_ALLOC], Address: 0x11100, Offset: 0x1100, Entries: [0, 3, 2, 0x8002]}
  - {Name: .gnu.version_d, Type: SHT_GNU_verdef, Flags: [SHF_ALLOC], Address: 0x11140, Offset: 0x1140, Link: .dynstr, Info: 2,
     Entries: [{Version: 1, Flags: 1, VersionNdx: 1, Hash: 1, Names: [libforeign.so.1]},
               {Version: 1, Flags: 0, VersionNdx: 2, Hash: 0x5c21, Names: [V_1, V_0]}]}
  - {Name: .gnu.version_r, Type: SHT_GNU_verneed, Flags: [SHF_ALLOC], Address: 0x111c0, Offset: 0x11c0, Link: .dynstr, Info: 1,
     Dependencies: [{Version: 1, File: libc.so.6, Entries: [{Name: GLIBC_2.2, Hash: 3, Flags: 2, Other: 3}]}]}
  - {Name: .hash, Type: SHT_HASH, Flags: [SHF_ALLOC], Address: 0x11200, Offset: 0x1200, Bucket: [3], Chain: [0, 0, 1, 2]}
  - {Name: .dynstr, Type: SHT_STRTAB, Flags: [SHF_ALLOC], Address: 0x11300, Offset: 0x1300}
  - {Name: .dynamic, Type: SHT_DYNAMIC, Flags: [SHF_ALLOC], Address: 0x11400, Offset: 0x1400, Link: .dynstr,
     Entries: [{Tag: DT_NEEDED, Value: 1}, {Tag: DT_SONAME, Value: 12}, {Tag: DT_STRTAB, Value: 0x11300},
               {Tag: DT_SYMTAB, Value: 0x11000}, {Tag: DT_HASH, Value: 0x11200}, {Tag: DT_VERSYM, Value: 0x11100},
               {Tag: DT_VERDEF, Value: 0x11140}, {Tag: DT_VERNEED, Value: 0x111c0}, {Tag: DT_NULL, Value: 0}]}
DynamicSymbols:
  - {Name: needed_symbol, Binding: STB_GLOBAL, Type: STT_FUNC}
  - {Name: first, Binding: STB_GLOBAL, Type: STT_OBJECT, Section: .dynsym, Value: 0x11010, Size: 0x20}
  - {Name: second, Binding: STB_WEAK, Type: STT_FUNC, Section: .dynsym, Value: 0x11020}
)";

TEST_F(Readelf, agrees_on_files_of_foreign_byte_order) {
  if (!has_tool("yaml2obj-14")) GTEST_SKIP() << "needs yaml2obj-14 of llvm-14-tools";
  write("foreign.yaml", foreign_yaml);
  int number = 1;
  for (const char* kind : {"64 MSB PPC64", "32 MSB MIPS", "32 LSB ARM"}) {
    const Lines words = words_of(kind);
    const std::string object = in_folder(fmt::format("foreign{}.so", number++));
    ASSERT_TRUE(
        runs(fmt::format("yaml2obj-14 -DCLASS={} -DDATA=2{} -DMACHINE={} foreign.yaml -o {}",
                         words[0], words[1], words[2], object)));
    expect_agrees_with_readelf(object);
  }
}

}  // namespace
}  // namespace whyso::elf
