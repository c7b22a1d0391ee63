// SPDX-License-Identifier: Apache-2.0
// What frameworks are known to open, where neither their code nor their files tell: the tables of
// data/profiles as values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"

namespace whyso::process {

/// One library that Python code looks for below each entry of sys.path.
struct Preload {
  std::string folder;   ///< "cudnn"
  std::string pattern;  ///< "libcudnn.so.*[0-9]"
  bool is_required = false;
};

/// What is opened after one library, in order.
struct PreloadList {
  std::string after;               ///< name of the file that is opened before
  std::vector<std::string> has;    ///< texts that the code holds
  std::vector<std::string> lacks;  ///< and that it does not hold
  std::vector<Preload> preloads;

  [[nodiscard]] bool is_of(std::string_view code) const;
};

/// A name that native code opens when it is used for the first time.
struct FirstUse {
  std::string library;  ///< soname of the object
  std::string opens;    ///< "*" stands for any letters of a file beside it
};

struct Habits {
  std::vector<PreloadList> preloads;
  std::vector<FirstUse> first_uses;

  /// The texts of data/profiles/preloads and data/profiles/first_use; malformed where a row is.
  static Result<Habits> parse(std::string_view preloads, std::string_view first_use);

  /// The list that such code works off after that file, or null.
  [[nodiscard]] const PreloadList* find_list(std::string_view file_name,
                                             std::string_view code) const;
};

}  // namespace whyso::process
