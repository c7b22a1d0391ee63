// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/byte_size.h"

#include <gtest/gtest.h>

#include <limits>

namespace whyso {
namespace {

TEST(ByteSize, takes_the_unit_that_leaves_three_digits) {
  EXPECT_EQ(byte_size(0), "0 bytes");
  EXPECT_EQ(byte_size(1), "1 byte");
  EXPECT_EQ(byte_size(999), "999 bytes");
  EXPECT_EQ(byte_size(1000), "1.0 kB");
  EXPECT_EQ(byte_size(9949), "9.9 kB");
  EXPECT_EQ(byte_size(9950), "10 kB");
  EXPECT_EQ(byte_size(999'499), "999 kB");
  EXPECT_EQ(byte_size(999'500), "1.0 MB");
  EXPECT_EQ(byte_size(2'900'000'000), "2.9 GB");
  EXPECT_EQ(byte_size(std::numeric_limits<std::uint64_t>::max()), "18447 PB");
}

}  // namespace
}  // namespace whyso
