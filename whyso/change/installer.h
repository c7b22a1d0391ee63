// SPDX-License-Identifier: Apache-2.0
// The installers whose uninstall is modelled.
#pragma once

#include <cstdint>

namespace whyso::change {

enum class Installer : std::uint8_t { pip, uv };

}  // namespace whyso::change
