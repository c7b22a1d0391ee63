// SPDX-License-Identifier: Apache-2.0
// The parts of an ELF file in which texts stand: read-only data, and what Cython packs into it.
#pragma once

#include <functional>
#include <string_view>

#include "whyso/base/blob.h"

namespace whyso::process {

/// Calls `visit` with the bytes of each read-only segment and with each zlib stream in them,
/// unpacked (Cython 3.1 packs the texts of a module). Nothing where it is no ELF file. The first 32
/// MiB of a segment are looked at.
void for_each_native_text(const Blob& file, const std::function<void(std::string_view)>& visit);

}  // namespace whyso::process
