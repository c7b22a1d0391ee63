// SPDX-License-Identifier: Apache-2.0
// What the loader would do with one program, as a JSON value and as lines for people. Reads no
// options and prints nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/json.h"
#include "whyso/base/result.h"
#include "whyso/loader/launch.h"
#include "whyso/tree/resolve.h"

namespace whyso::cli {

/// A program and the dlopen() calls that it then makes.
struct LdQuestion {
  loader::Command command;
  /// "[FLAGS:]NAME", with n NOW, l LAZY, g GLOBAL, d NODELETE, o NOLOAD, b DEEPBIND, and v for a
  /// call out of the library that was opened before; without flags NOW. "c:" closes the last that
  /// is open.
  std::vector<std::string> opens;
};

struct LdAnswer {
  json::Value json;
  std::string text;
  bool is_good = true;  ///< the program starts and every library opens
};

/// Unsupported where the program's loader is none that is modelled.
[[nodiscard]] Result<LdAnswer> answer_ld(tree::Resolver& resolver, const LdQuestion& question,
                                         const loader::Machine& machine);

}  // namespace whyso::cli
