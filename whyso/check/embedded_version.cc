// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/embedded_version.h"

#include <algorithm>
#include <optional>

#include "whyso/base/text.h"
#include "whyso/elf/image.h"
#include "whyso/elf/symbols.h"
#include "whyso/python/version.h"

namespace whyso::check {
namespace {

constexpr std::uint64_t most_symbols = 200'000;

/// Takes `bytes` off the front of the code where it begins with them.
void skip(std::string_view& code, std::string_view bytes) {
  if (code.starts_with(bytes)) code.remove_prefix(bytes.size());
}

std::optional<std::int64_t> constant_of_x86_64(std::string_view code) {
  using namespace std::string_view_literals;
  const std::string_view frame = "\x55\x48\x89\xe5"sv;  // push %rbp; mov %rsp,%rbp
  skip(code, "\xf3\x0f\x1e\xfa"sv);                     // endbr64
  const bool has_frame = code.starts_with(frame);
  skip(code, frame);
  if (!code.starts_with('\xb8')) return std::nullopt;  // mov $number,%eax
  const auto number = read_integer<std::uint32_t>(bytes_of(code.substr(1)), 0, ByteOrder::little);
  if (!number || code.size() < 6) return std::nullopt;
  code.remove_prefix(5);
  if (has_frame) skip(code, "\x5d"sv);
  if (!code.starts_with('\xc3')) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

std::optional<std::int64_t> constant_of_aarch64(std::string_view code) {
  const auto move = read_integer<std::uint32_t>(bytes_of(code), 0, ByteOrder::little);
  const auto leave = read_integer<std::uint32_t>(bytes_of(code), 4, ByteOrder::little);
  constexpr std::uint32_t ret = 0xd65f03c0;
  constexpr std::uint32_t movz_w0 = 0x52800000;
  if (!move || leave != ret || (*move & 0xffe0001fU) != movz_w0) return std::nullopt;
  return static_cast<std::int64_t>((*move >> 5U) & 0xffffU);
}

std::optional<std::int64_t> constant_at(const elf::ElfImage& image, const elf::Memory& memory,
                                        const elf::Symbol& symbol) {
  const auto bytes = memory.bytes_from(symbol.value, "code");
  if (!bytes) return std::nullopt;
  const std::string_view code = text_of(*bytes).substr(0, 24);
  if (image.header().machine == elf::Machine::x86_64) return constant_of_x86_64(code);
  if (image.header().machine == elf::Machine::aarch64) return constant_of_aarch64(code);
  return std::nullopt;
}

bool is_version_function(const elf::Symbol& symbol) {
  return !symbol.is_undefined() && symbol.type == elf::SymbolType::function &&
         symbol.name.contains("ersion");
}

Age age_of(std::int64_t first, std::int64_t second) {
  if (first == second) return Age::same;
  return first < second ? Age::older : Age::newer;
}

}  // namespace

VersionAnswers version_answers(const tree::FileTree& tree, const Path& file) {
  VersionAnswers answers;
  const auto content = tree.read(file);
  if (!content.is_present()) return answers;
  const auto image = elf::ElfImage::parse(content.value().blob, file.text());
  if (!image) return answers;
  const auto memory = image->memory();
  const auto symbols = image->symbols();
  if (!memory || !symbols) return answers;
  const std::uint64_t count = std::min(symbols->count().value_or(0), most_symbols);
  for (std::uint64_t i = 1; i < count; ++i) {
    const auto symbol = symbols->at(i);
    if (!symbol) break;
    if (!is_version_function(*symbol)) continue;
    const auto number = constant_at(*image, *memory, *symbol);
    if (number) answers.emplace(symbol->name, *number);
  }
  return answers;
}

VersionDifference compare_versions(const tree::FileTree& tree, const Path& first,
                                   const Path& second) {
  const auto one = version_answers(tree, first);
  const auto other = version_answers(tree, second);
  VersionDifference same;
  for (const auto& [function, number] : one) {
    const auto found = other.find(function);
    if (found == other.end()) continue;
    VersionDifference difference{.age = age_of(number, found->second),
                                 .function = function,
                                 .first = std::to_string(number),
                                 .second = std::to_string(found->second)};
    if (difference.age != Age::same) return difference;
    same = std::move(difference);
  }
  if (same.age == Age::same) return same;
  const std::string spelled = version_in_name(first.name());
  const std::string other_spelled = version_in_name(second.name());
  if (spelled.empty() || other_spelled.empty()) return {};
  const auto order = python::Version::parse(spelled) <=> python::Version::parse(other_spelled);
  return {.age = order == 0  ? Age::same
                 : order < 0 ? Age::older
                             : Age::newer,
          .first = spelled,
          .second = other_spelled};
}

std::string version_in_name(std::string_view file_name) {
  const auto at = file_name.rfind(".so.");
  if (at == std::string_view::npos) return {};
  const std::string_view version = file_name.substr(at + 4);
  const auto parts = split(version, '.');
  const bool is_whole = parts.size() >= 3 && std::ranges::all_of(parts, [](auto part) {
                          return parse_decimal(part).has_value();
                        });
  return is_whole ? std::string(version) : std::string();
}

std::string dotted_version(std::int64_t number) {
  if (number < 1000 || number >= 1'000'000) return {};
  const std::int64_t major_unit = number < 10'000 ? 1000 : 10'000;  // cuDNN 8 and 9, CUDA
  return std::to_string(number / major_unit) + "." + std::to_string(number % major_unit / 100) +
         "." + std::to_string(number % 100);
}

}  // namespace whyso::check
