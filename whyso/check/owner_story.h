// SPDX-License-Identifier: Apache-2.0
// Whose a file is: by the lists of packages, and by its bytes.
#pragma once

#include "whyso/check/answer.h"
#include "whyso/check/world.h"

namespace whyso::check {

/// Hashes the file where an owner recorded a hash and it is no larger than 512 MiB.
[[nodiscard]] Ownership ownership_of(const World& world, const Path& path);

/// The system package that lists a path, "libc6"; empty where none does. Reads dpkg's lists.
[[nodiscard]] std::string system_package(const World& world, const Path& path);

/// "torch 2.10.0" of the first owner of a shared object; empty where nobody lists it.
[[nodiscard]] std::string owner_of(const World& world, const Path& path);

/// "nvidia/nvjitlink/lib/libnvJitLink.so.12 of nvidia-nvjitlink-cu12 12.6.85"
[[nodiscard]] std::string told_copy(const World& world, const Path& path);

}  // namespace whyso::check
