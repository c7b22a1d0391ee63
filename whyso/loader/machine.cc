// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/machine.h"

#include <array>
#include <span>
#include <unordered_set>

#include "whyso/base/text.h"

namespace whyso::loader {
namespace {

using Flags = std::unordered_set<std::string_view>;

// The kernel's words: pni is SSE3, lahf_lm LAHF/SAHF, abm stands for LZCNT.
constexpr std::array<std::string_view, 6> level_2{"cx16", "lahf_lm", "popcnt",
                                                  "pni",  "sse4_1",  "sse4_2"};
constexpr std::array<std::string_view, 8> level_3{"avx",  "avx2", "f16c",  "fma",
                                                  "bmi1", "bmi2", "movbe", "abm"};
constexpr std::array<std::string_view, 5> level_4{"avx512f", "avx512bw", "avx512cd", "avx512dq",
                                                  "avx512vl"};
constexpr std::array<std::string_view, 7> haswell{"avx2", "bmi1",  "bmi2",  "abm",
                                                  "fma",  "movbe", "popcnt"};

bool has_all(const Flags& flags, std::span<const std::string_view> wanted) {
  for (const std::string_view flag : wanted) {
    if (!flags.contains(flag)) return false;
  }
  return true;
}

/// The value of the first line "KEY : VALUE".
std::string_view value_of(std::string_view cpuinfo, std::string_view key) {
  for (const std::string_view line : lines_of(cpuinfo)) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (trim(line.substr(0, colon)) == key) return trim(line.substr(colon + 1));
  }
  return {};
}

int isa_level_of(const Flags& flags) {
  if (!has_all(flags, level_2) || !flags.contains("ssse3")) return 1;
  if (!has_all(flags, level_3)) return 2;
  return has_all(flags, level_4) ? 4 : 3;
}

}  // namespace

Machine machine_of_cpuinfo(std::string_view cpuinfo) {
  const std::string_view line = value_of(cpuinfo, "flags");
  if (line.empty()) return {};
  const auto words = split(line, ' ');
  const Flags flags(words.begin(), words.end());
  Machine machine{.isa_level = isa_level_of(flags), .platform = "x86_64"};
  // Only for Intel does glibc put its own names in place of AT_PLATFORM (init_cpu_features).
  if (value_of(cpuinfo, "vendor_id") != "GenuineIntel") return machine;
  const bool is_phi = flags.contains("avx512cd") && flags.contains("avx512er");
  machine.has_avx512_1 = !is_phi && flags.contains("avx512cd") && flags.contains("avx512bw") &&
                         flags.contains("avx512dq") && flags.contains("avx512vl");
  if (is_phi && flags.contains("avx512pf")) {
    machine.platform = "xeon_phi";
  } else if (has_all(flags, haswell)) {
    machine.platform = "haswell";
  }
  return machine;
}

}  // namespace whyso::loader
