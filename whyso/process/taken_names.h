// SPDX-License-Identifier: Apache-2.0
// What the names of a module stand for that its import statements bind. Knows no other module.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "whyso/process/opened_libraries.h"
#include "whyso/python/import_scan.h"

namespace whyso::process {

/// The absolute name of the module of a statement in the module `name`; nothing beyond the top
/// level (importlib._bootstrap._calc___package__ and _resolve_name).
[[nodiscard]] std::optional<std::string> absolute_name(const python::ImportStatement& statement,
                                                       std::string_view name, bool is_package);

/// By the name that is bound. `import a.b` binds "a.b", too, which is how code calls it.
[[nodiscard]] std::map<std::string, TakenName, std::less<>> taken_names(
    const python::ImportScan& scan, std::string_view name, bool is_package);

}  // namespace whyso::process
