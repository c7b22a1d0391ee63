// SPDX-License-Identifier: Apache-2.0
// Sources of modules that others call, kept as statements. Follows nothing.
#pragma once

#include <memory>
#include <string_view>

#include "whyso/base/blob.h"
#include "whyso/base/text_map.h"
#include "whyso/process/module_search.h"
#include "whyso/process/opened_libraries.h"

namespace whyso::process {

/// Not to be shared between threads.
class SourceShelf {
 public:
  /// Null where the module has no source, or one of more than a megabyte. Lives as long as this.
  const SourceOfModule* find(ModuleSearch& search, std::string_view module);

 private:
  struct Kept {
    Blob text;
    SourceOfModule source;
  };
  TextMap<std::unique_ptr<Kept>> kept_;
};

}  // namespace whyso::process
