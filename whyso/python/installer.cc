// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/installer.h"

#include <algorithm>
#include <array>

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

struct Known {
  std::string_view word;
  InstallerKind kind;
};

constexpr std::array known = {
    Known{"pip", InstallerKind::pip},     Known{"uv", InstallerKind::uv},
    Known{"conda", InstallerKind::conda}, Known{"poetry", InstallerKind::poetry},
    Known{"pdm", InstallerKind::pdm},     Known{"debian", InstallerKind::debian},
    Known{"rpm", InstallerKind::rpm},
};

}  // namespace

Installer read_installer(std::string_view text) {
  text = trim(text);
  text = trim(text.substr(0, text.find_first_of("\r\n")));
  if (text.empty()) return {};
  const std::string word = lower(text.substr(0, text.find(' ')));
  const auto* found = std::ranges::find(known, word, &Known::word);
  return {.kind = found == known.end() ? InstallerKind::other : found->kind, .text = text};
}

}  // namespace whyso::python
