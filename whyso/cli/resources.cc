// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/resources.h"

namespace whyso::cli {

// Made by embed.cmake.
std::span<const EmbeddedFile> embedded_rule_pages();
std::span<const EmbeddedFile> embedded_schemas();
std::span<const EmbeddedFile> embedded_licenses();
std::span<const EmbeddedFile> embedded_tables();

Resources built_in_resources() {
  return {.version = WHYSO_VERSION,
          .rule_pages = embedded_rule_pages(),
          .schemas = embedded_schemas(),
          .licenses = embedded_licenses(),
          .sonames = embedded_tables()[0].text,
          .preloads = embedded_tables()[1].text,
          .first_use = embedded_tables()[2].text,
          .families = embedded_tables()[3].text};
}

}  // namespace whyso::cli
