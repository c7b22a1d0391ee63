// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/provides.h"

namespace whyso::check {

Provides answer_provides(const World& world, std::string_view query) {
  (void)world;
  return {.query = std::string(query)};
}

}  // namespace whyso::check
