// SPDX-License-Identifier: Apache-2.0
// What is fuzzed: one target for each parser that meets foreign bytes. How it is fed is not known
// here: see replay.cc and libfuzzer.cc.
#pragma once

#include <span>
#include <string_view>

namespace whyso::fuzz {

struct Target {
  std::string_view name;
  /// Takes any bytes; a fault is a crash, a report of a sanitizer, or WHYSO_CHECK's exception.
  void (*run)(std::string_view input);
};

[[nodiscard]] std::span<const Target> binary_targets();
[[nodiscard]] std::span<const Target> text_targets();
[[nodiscard]] std::span<const Target> python_targets();

/// Null where there is none of that name.
[[nodiscard]] const Target* find_target(std::string_view name);

}  // namespace whyso::fuzz
