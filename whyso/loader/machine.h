// SPDX-License-Identifier: Apache-2.0
// The computer that a process would run on, as far as the loader asks. Never read from our own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace whyso::loader {

/// What decides which subdirectories are searched and which files can be mapped.
struct Machine {
  int isa_level = 1;          ///< x86-64-v1 to v4; other architectures: 1
  std::string platform;       ///< AT_PLATFORM, or "haswell" and "xeon_phi" in its place
  bool has_avx512_1 = false;  ///< the hardware capability of that name, up to glibc 2.36
  std::uint64_t page_size = 4096;
  bool operator==(const Machine&) const = default;
};

/// The machine described by /proc/cpuinfo's text on x86-64 (glibc's init_cpu_features and
/// get_isa_level). A text without a line "flags" gives the baseline and no platform.
[[nodiscard]] Machine machine_of_cpuinfo(std::string_view cpuinfo);

}  // namespace whyso::loader
