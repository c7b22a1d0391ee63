// SPDX-License-Identifier: Apache-2.0
// The files that are part of the program: pages, schemas, licences, tables. Handed down as
// arguments, so that a test brings its own.
#pragma once

#include <span>
#include <string_view>

namespace whyso::cli {

struct EmbeddedFile {
  std::string_view name;  ///< "SO102-gutted-package.md"
  std::string_view text;
};

struct Resources {
  std::string_view version;
  std::span<const EmbeddedFile> rule_pages;
  std::span<const EmbeddedFile> schemas;   ///< "check.schema.json"
  std::span<const EmbeddedFile> licenses;  ///< "components" and a text for each licence
  std::string_view sonames;                ///< data/sonames
  std::string_view preloads;               ///< data/profiles/preloads
  std::string_view first_use;              ///< data/profiles/first_use
  std::string_view families;               ///< data/families
};

/// Those of this build; made by embed.cmake.
[[nodiscard]] Resources built_in_resources();

}  // namespace whyso::cli
