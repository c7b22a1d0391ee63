// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.h"

namespace whyso::fuzz {

const Target* find_target(std::string_view name) {
  for (const auto targets : {binary_targets(), text_targets(), python_targets()}) {
    for (const Target& target : targets) {
      if (target.name == name) return &target;
    }
  }
  return nullptr;
}

}  // namespace whyso::fuzz
