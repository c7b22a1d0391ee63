// SPDX-License-Identifier: Apache-2.0
// Which files of an environment are looked at: all, or those that one question is about.
#pragma once

#include <string>
#include <string_view>

#include "whyso/python/record.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

/// By default all. Folders are listed and metadata is read in any case.
struct FileScope {
  python::RowChoice choice;
  std::string distribution;  ///< a normalized name: all that distributions of it list
  /// Names of plain files that are not chosen are known, too: what is not known has to be looked up
  /// one by one.
  bool knows_all_names = true;

  [[nodiscard]] bool is_everything() const { return choice.is_everything(); }
  [[nodiscard]] bool knows_name(std::string_view name) const {
    return knows_all_names || choice.wants(name);
  }
};

/// For a question about a library, file, path or distribution: shared objects, and what is called
/// like the question, as it stands and behind links.
[[nodiscard]] FileScope scope_of_question(const tree::FileTree& tree, std::string_view query);

}  // namespace whyso::environment
