// SPDX-License-Identifier: Apache-2.0
// One target as libFuzzer calls it; WHYSO_FUZZ_TARGET is its name.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const whyso::fuzz::Target* const target = whyso::fuzz::find_target(WHYSO_FUZZ_TARGET);
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
