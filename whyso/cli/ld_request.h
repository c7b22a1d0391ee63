// SPDX-License-Identifier: Apache-2.0
// One --open of `whyso ld`: a call of dlopen, dlclose or dlsym, as text. Calls nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "whyso/loader/load.h"

namespace whyso::cli {

enum class LdAction : std::uint8_t {
  open,
  close,     ///< "close:" the last handle
  symbol,    ///< "sym:NAME" dlsym on the last handle
  anywhere,  ///< "default:NAME" dlsym on RTLD_DEFAULT
  call,      ///< "call:NAME" the same as sym:, and that function runs
};

struct LdRequest {
  LdAction action = LdAction::open;
  std::string name;
  loader::OpenFlags flags{.now = true};
  bool is_from_library =
      false;  ///< flag v: the library whose function was called last makes the call
};

/// "[FLAGS:]NAME" and the words above; a text whose part before the colon is neither is a name.
[[nodiscard]] LdRequest parse_ld_request(std::string_view text);

}  // namespace whyso::cli
