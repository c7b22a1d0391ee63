// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/why.h"

namespace whyso::check {

Why answer_why(const World& world, std::string_view query) {
  (void)world;
  return {.query = std::string(query)};
}

}  // namespace whyso::check
