// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/file_nature.h"

#include <algorithm>
#include <array>

#include "whyso/base/text.h"
#include "whyso/elf/abi.h"
#include "whyso/elf/image.h"

namespace whyso::check {
namespace {

struct Magic {
  std::string_view bytes;
  std::string_view words;
};

using namespace std::string_view_literals;

/// First bytes of what is found in the place of libraries.
constexpr std::array<Magic, 9> magics = {{
    {"version https://git-lfs"sv,
     "is the pointer that Git LFS leaves in place of a file, no ELF file"},
    {"\xcf\xfa\xed\xfe"sv, "is a library of macOS (Mach-O), no ELF file"},
    {"\xce\xfa\xed\xfe"sv, "is a library of macOS (Mach-O), no ELF file"},
    {"\xca\xfe\xba\xbe"sv, "is a library of macOS (Mach-O, universal), no ELF file"},
    {"MZ"sv, "is a library of Windows (PE), no ELF file"},
    {"!<arch>"sv, "is a static archive, no ELF shared object"},
    {"GROUP"sv, "is a linker script, no ELF file"},
    {"/* GNU ld"sv, "is a linker script, no ELF file"},
    {"PK\x03\x04"sv, "is a zip archive, no ELF file"},
}};

std::string words_without_elf(std::string_view bytes) {
  if (bytes.empty()) return "is empty";
  for (const auto& magic : magics) {
    if (bytes.starts_with(magic.bytes)) return std::string(magic.words);
  }
  const std::string_view head = bytes.substr(0, 256);
  const bool is_text =
      is_utf8(head) && std::ranges::none_of(head, [](char c) { return c == '\0'; });
  return is_text ? "is a text, no ELF file" : "is no ELF file";
}

FileNature nature_of_image(const World& world, const NativeObject& object,
                           const elf::ElfImage& image) {
  const auto& header = image.header();
  const auto& expected = world.loader->rules().abi;
  const elf::Abi abi = elf::abi_of(header);
  if (header.machine == elf::Machine::none) {
    return {Nature::other_machine,
            "names no machine in its header (EM_NONE), this Python is " + elf::name_of(expected)};
  }
  if (!elf::can_share_process(abi, expected)) {
    return {Nature::other_machine,
            "is built for " + elf::name_of(abi) + ", this Python is " + elf::name_of(expected)};
  }
  const auto missing = image.missing_bytes();
  if (missing && *missing > 0) {
    return {Nature::cut_short, "is cut short: a segment ends " + counted(*missing, "byte") +
                                   " past the end of the file"};
  }
  if (!object.file || object.verdict != loader::Verdict::refused) return {};
  const auto& file = world.loader->files().file(*object.file);
  return {Nature::refused, "is refused by the loader: " + std::string(file.object.header.what)};
}

}  // namespace

FileNature nature_of(const World& world, const NativeObject& object) {
  const auto content = world.tree->read(object.path);
  if (!content.is_present()) return {};
  const auto& blob = content.value().blob;
  if (!elf::has_elf_magic(blob.bytes())) return {Nature::no_elf, words_without_elf(blob.text())};
  const auto image = elf::ElfImage::parse(blob, object.path.text());
  if (!image) {
    return {Nature::cut_short, "is cut short: it ends before its ELF header is complete"};
  }
  return nature_of_image(world, object, *image);
}

}  // namespace whyso::check
