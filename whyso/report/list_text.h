// SPDX-License-Identifier: Apache-2.0
// Tables of what stands in an environment, as text and as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "whyso/base/json.h"
#include "whyso/check/listing.h"
#include "whyso/report/style.h"

namespace whyso::report {

[[nodiscard]] std::string_view word_of(check::PackageState state);  ///< "metadata-only"

/// The rows in their order, and how many they are.
[[nodiscard]] std::string packages_text(std::span<const check::PackageRow> rows,
                                        const Style& style);
[[nodiscard]] std::string libraries_text(std::span<const check::LibraryRow> rows,
                                         const Style& style);
[[nodiscard]] std::string clashes_text(std::span<const check::ClashRow> rows, const Style& style);

[[nodiscard]] json::Value packages_json(std::span<const check::PackageRow> rows);
[[nodiscard]] json::Value libraries_json(std::span<const check::LibraryRow> rows);
[[nodiscard]] json::Value clashes_json(std::span<const check::ClashRow> rows);

}  // namespace whyso::report
