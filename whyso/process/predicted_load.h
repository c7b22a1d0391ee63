// SPDX-License-Identifier: Apache-2.0
// One object that a Python process maps, or one that it cannot have, as values. Who foretells them
// is prediction.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "whyso/loader/load.h"

namespace whyso::process {

/// What brought an object into the process.
enum class How : std::uint8_t {
  extension,  ///< Python imports it as a module
  ctypes,     ///< Python code opens it: ctypes, cffi
  dlopen,     ///< native code opens it
  needed,     ///< another object's DT_NEEDED
};

enum class When : std::uint8_t {
  import,     ///< before the import statement is through
  first_use,  ///< when something of it is used for the first time
  optional,   ///< only where somebody asks for it
};

enum class Likelihood : std::uint8_t {
  certain,      ///< the import cannot work without asking for it, or has its failure handled
  conditional,  ///< depends on what reading does not decide
  possible,     ///< a name was found in a file; whether it is used is not known
};

/// One object that is mapped.
struct PredictedLoad {
  std::string path;  ///< as the loader spells it
  std::optional<Id<loader::KnownFile>> file;
  std::string by;  ///< "/…/torch/__init__.py:432", or the path of the object that asks; empty: the
                   ///< import that was asked for
  How how = How::needed;
  When when = When::import;
  Likelihood likelihood = Likelihood::certain;
};

/// A name that the loader could not find or refused, with the object that asks for it.
struct MissingName {
  std::string name;
  std::string requirer;  ///< path of the object; empty: the Python process itself
  loader::Ending ending = loader::Ending::missing;
  std::optional<Id<loader::Search>> search;
};

/// Something that cannot be imported or opened.
struct PredictedFailure {
  std::string name;   ///< of the module; the library's as it is asked for, where How::ctypes
  std::string path;   ///< of the module's file; empty where it has none
  std::string by;     ///< as in PredictedLoad
  std::string error;  ///< as Python prints it: "ImportError: libx.so.1: cannot open ..."
  std::string cause;  ///< what the loader says, where `error` is in other words; else empty
  std::vector<MissingName> missing;  ///< all names, not only the first; empty where no loader fails
  Likelihood likelihood = Likelihood::certain;
  bool is_handled = false;  ///< code around it catches it and goes on
  bool is_crash = false;    ///< the process dies instead of saying it
};

}  // namespace whyso::process
