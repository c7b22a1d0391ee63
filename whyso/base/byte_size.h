// SPDX-License-Identifier: Apache-2.0
// Numbers of bytes in words for people.
#pragma once

#include <cstdint>
#include <string>

namespace whyso {

/// "13 bytes", "1.2 kB", "540 MB", "2.9 GB": powers of ten, as disks are sold; three digits at
/// most.
[[nodiscard]] std::string byte_size(std::uint64_t bytes);

}  // namespace whyso
