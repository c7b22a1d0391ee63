// SPDX-License-Identifier: Apache-2.0
// Who requires whom, as METADATA says. Resolves nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/environment/environment.h"
#include "whyso/python/requirement.h"

namespace whyso::check {

/// One requirement of one installed distribution.
struct RequiredBy {
  Id<environment::Distribution> requirer;
  std::string text;   ///< as METADATA writes it
  std::string extra;  ///< it counts only under this extra; empty: always
  python::SpecifierSet versions;
};

/// Requirements that count in this environment, by the normalised name of what is required. Those
/// behind an extra are kept, with its name; those whose marker excludes this system are not.
using Requirements = std::map<std::string, std::vector<RequiredBy>, std::less<>>;

[[nodiscard]] Requirements read_requirements(const environment::Environment& environment);

/// Does an installed distribution require this one, in its installed version and not only under an
/// extra?
[[nodiscard]] bool is_required(const environment::Environment& environment,
                               const Requirements& requirements,
                               Id<environment::Distribution> distribution);

/// Those that require it, directly or through others; not under an extra. Sorted, each once.
[[nodiscard]] std::vector<Id<environment::Distribution>> dependents(
    const environment::Environment& environment, const Requirements& requirements,
    Id<environment::Distribution> distribution);

}  // namespace whyso::check
