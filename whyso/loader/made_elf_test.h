// SPDX-License-Identifier: Apache-2.0
// For tests: ELF files of a few hundred bytes, byte by byte, with a dynamic section and no code.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace whyso::loader {

struct MadeElf {
  std::string soname;
  std::vector<std::string> needed;
  std::optional<std::string> rpath;
  std::optional<std::string> runpath;
  std::string auxiliary;  ///< before all DT_NEEDED
  std::string filter;     ///< before all DT_NEEDED
  std::string interpreter;
  std::uint64_t flags_1 = 0;
  std::uint16_t type = 3;
  std::uint16_t machine = 62;
  std::uint8_t elf_class = 2;
  bool has_dynamic = true;

  [[nodiscard]] std::string bytes() const;

 private:
  static void put(std::string& out, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  }
  static void put_segment(std::string& out, std::uint32_t type, std::uint64_t at,
                          std::uint64_t size) {
    put(out, type, 4);
    put(out, 7, 4);
    for (const std::uint64_t value : {at, at, at, size, size}) put(out, value, 8);
    put(out, type == 1 ? 0x1000 : 8, 8);
  }
};

/// Header, three or four program headers, strings, dynamic section; everything at its own offset.
inline std::string MadeElf::bytes() const {
  std::string strings(1, '\0');
  std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;
  const auto add = [&](std::uint64_t tag, const std::string& text) {
    entries.emplace_back(tag, strings.size());
    strings += text + '\0';
  };
  if (!auxiliary.empty()) add(0x7ffffffd, auxiliary);
  if (!filter.empty()) add(0x7fffffff, filter);
  for (const std::string& name : needed) add(1, name);
  if (!soname.empty()) add(14, soname);
  if (rpath) add(15, *rpath);
  if (runpath) add(29, *runpath);
  entries.emplace_back(0x6ffffffb, flags_1);
  const std::uint64_t interpreter_at = strings.size();
  strings += interpreter + '\0';

  constexpr std::uint64_t strings_at = 64 + 3 * 56;
  const std::uint64_t dynamic_at = (strings_at + strings.size() + 7) / 8 * 8;
  entries.emplace_back(5, strings_at);
  entries.emplace_back(10, strings.size());
  entries.emplace_back(0, 0);

  std::string out(
      "\x7f"
      "ELF",
      4);
  for (const int byte : {int{elf_class}, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
    put(out, std::uint64_t(byte), 1);
  put(out, type, 2);
  put(out, machine, 2);
  put(out, 1, 4);
  for (const std::uint64_t value : {0ULL, 64ULL, 0ULL}) put(out, value, 8);
  put(out, 0, 4);
  for (const std::uint64_t value : {64, 56, 3, 64, 0, 0}) put(out, value, 2);
  put_segment(out, 1, 0, dynamic_at + entries.size() * 16);
  put_segment(out, has_dynamic ? 2 : 0, dynamic_at, entries.size() * 16);
  put_segment(out, interpreter.empty() ? 0 : 3, strings_at + interpreter_at,
              interpreter.size() + 1);
  out += strings;
  out.resize(dynamic_at, '\0');
  for (const auto& [tag, value] : entries) {
    put(out, tag, 8);
    put(out, value, 8);
  }
  return out;
}

}  // namespace whyso::loader
