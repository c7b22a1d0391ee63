// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/machine.h"

#include <gtest/gtest.h>

namespace whyso::loader {
namespace {

const std::string level_2 = "fpu cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3";
const std::string level_3 = level_2 + " avx avx2 f16c fma bmi1 bmi2 movbe abm";
const std::string level_4 = level_3 + " avx512f avx512bw avx512cd avx512dq avx512vl";

Machine machine_with(const std::string& flags, const std::string& vendor = "AuthenticAMD") {
  return machine_of_cpuinfo("processor\t: 0\nvendor_id\t: " + vendor + "\nflags\t\t: " + flags +
                            "\nbugs\t\t:\n");
}

TEST(Machine, isa_level_is_the_highest_whose_flags_are_all_there) {
  EXPECT_EQ(machine_with("fpu sse2").isa_level, 1);
  EXPECT_EQ(machine_with(level_2).isa_level, 2);
  EXPECT_EQ(machine_with(level_3).isa_level, 3);
  EXPECT_EQ(machine_with(level_4).isa_level, 4);
  EXPECT_EQ(machine_with("avx avx2 f16c fma bmi1 bmi2 movbe abm").isa_level, 1);
}

TEST(Machine, only_an_intel_cpu_has_a_platform_of_its_own) {
  EXPECT_EQ(machine_with(level_3).platform, "x86_64");
  EXPECT_EQ(machine_with(level_3, "GenuineIntel").platform, "haswell");
  EXPECT_EQ(machine_with(level_2, "GenuineIntel").platform, "x86_64");
  EXPECT_EQ(machine_with(level_3 + " avx512cd avx512er avx512pf", "GenuineIntel").platform,
            "xeon_phi");
}

TEST(Machine, avx512_1_is_a_capability_of_intel_servers) {
  EXPECT_TRUE(machine_with(level_4, "GenuineIntel").has_avx512_1);
  EXPECT_FALSE(machine_with(level_4).has_avx512_1);
  EXPECT_FALSE(machine_with(level_3, "GenuineIntel").has_avx512_1);
}

TEST(Machine, other_architectures_are_the_baseline_without_a_platform) {
  EXPECT_EQ(machine_of_cpuinfo("processor\t: 0\nFeatures\t: fp asimd\n"), Machine{});
  EXPECT_EQ(machine_of_cpuinfo(""), Machine{});
}

}  // namespace
}  // namespace whyso::loader
