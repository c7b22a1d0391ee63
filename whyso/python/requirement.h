// SPDX-License-Identifier: Apache-2.0
// Requirement strings (PEP 508): "name[extra] (>=1.0) ; marker" and "name @ url ; marker".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/python/marker.h"
#include "whyso/python/specifier.h"

namespace whyso::python {

struct Requirement {
  std::string name;                 ///< as written
  std::vector<std::string> extras;  ///< as written
  SpecifierSet versions;            ///< empty: any version
  std::optional<std::string> url;   ///< of the form with '@'
  std::optional<Marker> marker;     ///< absent: it always counts

  /// Malformed where `text` breaks the grammar; the message names the text and the column.
  static Result<Requirement> parse(std::string_view text);

  /// Does it count in this environment? One whose marker cannot be evaluated does not.
  [[nodiscard]] bool applies_to(const MarkerEnvironment& environment) const {
    return !marker || marker->evaluate(environment).value_or(false);
  }
};

}  // namespace whyso::python
