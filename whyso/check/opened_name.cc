// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/opened_name.h"

#include <algorithm>
#include <optional>

#include "whyso/base/text.h"
#include "whyso/elf/image.h"

namespace whyso::check {
namespace {

constexpr std::uint64_t most_bytes = 8 * 1024 * 1024;
constexpr std::size_t longest_name = 96;

bool is_name_character(char c) {
  return is_alphanumeric(c) || c == '_' || c == '-' || c == '+' || c == '.';
}

/// The name around the ".so." at `at`; nothing where it does not begin with "lib" and end in a
/// version and a NUL.
std::optional<std::string> name_around(std::string_view bytes, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < longest_name && is_name_character(bytes[begin - 1])) --begin;
  std::size_t end = at + 4;
  while (end < bytes.size() && end - at < longest_name &&
         (is_digit(bytes[end]) || bytes[end] == '.')) {
    ++end;
  }
  const std::string_view name = bytes.substr(begin, end - begin);
  const bool is_whole = end < bytes.size() && bytes[end] == '\0' && end > at + 4;
  if (!is_whole || !name.starts_with("lib")) return std::nullopt;
  return std::string(name);
}

/// The string that the ".so" at `at` ends, or stands in; nothing where it is more than a name.
std::optional<std::string> whole_name_around(std::string_view bytes, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < longest_name && is_name_character(bytes[begin - 1])) --begin;
  std::size_t end = at + 3;
  while (end < bytes.size() && end - at < longest_name &&
         (is_digit(bytes[end]) || bytes[end] == '.')) {
    ++end;
  }
  const bool is_whole = end < bytes.size() && bytes[end] == '\0' && bytes[end - 1] != '.' &&
                        (begin == 0 || bytes[begin - 1] == '\0');
  const std::string_view name = bytes.substr(begin, end - begin);
  if (!is_whole || !name.starts_with("lib")) return std::nullopt;
  return std::string(name);
}

/// Does its table of strings hold the name of that function? A definition of one's own counts, too.
bool calls_dlopen(const elf::Memory& memory, const elf::Dynamic& dynamic) {
  if (!dynamic.tables.strings) return false;
  const auto strings =
      memory.bytes_at(dynamic.tables.strings->address, dynamic.tables.strings->size, "strings");
  return strings && text_of(*strings).contains(std::string_view("\0dlopen\0", 8));
}

/// A present library with the same stem and another version; empty where there is none.
std::string other_generation(const World& world, std::string_view wanted) {
  const std::string lead = std::string(library_stem(wanted)) + ".so.";
  const auto found = world.index.by_name.lower_bound(lead);
  const bool is_same_stem = found != world.index.by_name.end() && found->first.starts_with(lead);
  return is_same_stem ? found->first : std::string();
}

}  // namespace

std::vector<std::string> library_names_in(std::string_view bytes) {
  std::vector<std::string> names;
  for (auto at = bytes.find(".so."); at != std::string_view::npos;
       at = bytes.find(".so.", at + 4)) {
    if (auto name = name_around(bytes, at)) names.push_back(*std::move(name));
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

std::vector<std::string> opened_names(const tree::FileTree& tree, const Path& file,
                                      std::uint64_t most) {
  std::vector<std::string> names;
  const auto content = tree.read(file);
  if (!content.is_present() || content.value().facts.size > most) return names;
  const auto image = elf::ElfImage::parse(content.value().blob, file.text());
  if (!image) return names;
  const auto memory = image->memory();
  const auto dynamic = image->dynamic();
  if (!memory || !dynamic || !*dynamic || !calls_dlopen(*memory, **dynamic)) return names;
  for (const auto& segment : memory->segments()) {
    const bool is_constant =
        segment.type == elf::SegmentType::load && (segment.flags & elf::segment_is_writable) == 0;
    if (!is_constant) continue;
    const auto part = memory->file().slice(segment.offset, std::min(segment.file_size, most_bytes));
    if (!part) continue;
    const std::string_view bytes = text_of(*part);
    for (auto at = bytes.find(".so"); at != std::string_view::npos;
         at = bytes.find(".so", at + 3)) {
      if (auto name = whole_name_around(bytes, at)) names.push_back(*std::move(name));
    }
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

std::vector<AbsentGeneration> absent_generations(const World& world, const Path& file) {
  const auto content = world.tree->read(file);
  if (!content.is_present()) return {};
  const auto image = elf::ElfImage::parse(content.value().blob, file.text());
  if (!image) return {};
  const auto segments = image->segments();
  if (!segments) return {};
  std::vector<AbsentGeneration> absent;
  for (const auto& segment : *segments) {
    const bool is_plain =
        segment.type == elf::SegmentType::load && (segment.flags & elf::segment_is_writable) == 0;
    if (!is_plain) continue;
    const auto part =
        world.tree->read_part(file, segment.offset, std::min(segment.file_size, most_bytes));
    if (!part.is_present()) continue;
    for (auto& name : library_names_in(part.value().blob.text())) {
      if (world.index.by_name.contains(name)) continue;
      const std::string present = other_generation(world, name);
      if (!present.empty()) absent.push_back({std::move(name), present});
    }
  }
  return absent;
}

}  // namespace whyso::check
