// SPDX-License-Identifier: Apache-2.0
// The central directory of a zip archive: from the end record to the list of members. Does not read
// the members themselves.
#pragma once

#include <vector>

#include "whyso/archive/zip_member.h"
#include "whyso/base/bytes.h"
#include "whyso/base/result.h"

namespace whyso::archive {

/// See ZipArchive::parse; errors name no file.
[[nodiscard]] Result<std::vector<ZipMember>> read_zip_directory(Bytes file,
                                                                std::size_t most_members);

}  // namespace whyso::archive
