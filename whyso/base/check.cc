// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/check.h"

#include <stdexcept>
#include <string>

namespace whyso {

void report_bug(const char* condition, const char* file, int line) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + condition);
}

}  // namespace whyso
