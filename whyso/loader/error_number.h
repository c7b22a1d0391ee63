// SPDX-License-Identifier: Apache-2.0
// errno of what a walk met. Does not know what the loader makes of it.
#pragma once

#include <cerrno>

#include "whyso/tree/resolve.h"

namespace whyso::loader {

/// errno of a walk that did not arrive, 0 where it did.
[[nodiscard]] inline int error_number_of(tree::WalkOutcome outcome) {
  switch (outcome) {
    case tree::WalkOutcome::found:
      return 0;
    case tree::WalkOutcome::absent:
      return ENOENT;
    case tree::WalkOutcome::not_a_directory:
      return ENOTDIR;
    case tree::WalkOutcome::loop:
      return ELOOP;
    case tree::WalkOutcome::name_too_long:
      return ENAMETOOLONG;
    case tree::WalkOutcome::not_permitted:
      return EACCES;
    case tree::WalkOutcome::failed:
      return EIO;
  }
  return EIO;
}

}  // namespace whyso::loader
