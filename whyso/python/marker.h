// SPDX-License-Identifier: Apache-2.0
// Conditions under which a requirement counts (PEP 508, environment markers): parsed, and evaluated
// for an environment that is given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"

namespace whyso::python {

/// The values that markers ask for.
struct MarkerEnvironment {
  std::string os_name;                         ///< "posix"
  std::string sys_platform;                    ///< "linux"
  std::string platform_machine;                ///< "x86_64"
  std::string platform_python_implementation;  ///< "CPython"
  std::string platform_release;
  std::string platform_system;  ///< "Linux"
  std::string platform_version;
  std::string python_version;          ///< "3.11"
  std::string python_full_version;     ///< "3.11.7"
  std::string implementation_name;     ///< "cpython"
  std::string implementation_version;  ///< "3.11.7"
  std::vector<std::string> extras;     ///< those that were asked for, in any spelling
};

/// CPython on Linux; `release` and `version` of the kernel are left empty.
[[nodiscard]] MarkerEnvironment linux_environment(std::string_view python_full_version,
                                                  std::string_view machine);

/// A parsed marker.
class Marker {
 public:
  /// Malformed where `text` is no marker, or nested deeper than 100 parentheses.
  static Result<Marker> parse(std::string_view text);

  /// Nothing where the marker makes a comparison that is not defined (as `os_name ~= "posix"`) and
  /// the rest does not decide. Versions are compared by PEP 440 for the four variables that hold
  /// one, all else as text; `extra == "x"` asks whether x is among the extras.
  [[nodiscard]] std::optional<bool> evaluate(const MarkerEnvironment& environment) const;

  /// Does it ask for an extra?
  [[nodiscard]] bool asks_for_extra() const;

 private:
  friend class MarkerParser;

  enum class Kind : std::uint8_t { comparison, all_of, any_of };

  struct Operand {
    bool is_variable = false;
    std::string text;  // of a variable the canonical name, "os_name" also for "os.name"
  };

  [[nodiscard]] std::optional<bool> compare(const MarkerEnvironment& environment) const;
  [[nodiscard]] std::optional<bool> combine(const MarkerEnvironment& environment) const;

  Kind kind_ = Kind::comparison;
  std::vector<Marker> parts_;
  Operand left_;
  std::string operator_;
  Operand right_;
};

}  // namespace whyso::python
