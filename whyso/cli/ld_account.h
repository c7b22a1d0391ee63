// SPDX-License-Identifier: Apache-2.0
// What the loader would do with one program, as a JSON value and as lines for people. Reads no
// options and prints nothing.
#pragma once

#include <optional>
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
  std::vector<std::string> opens;               ///< see ld_request.h
  std::optional<loader::GlibcVersion> release;  ///< as if the loader were that; absent: as it is
  bool tells_symbols = false;
  bool tells_bindings = false;
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
