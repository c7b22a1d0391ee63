// SPDX-License-Identifier: Apache-2.0
// How a command line and variables turn into a process: what the kernel and ld.so's own options
// decide before anything is loaded. Loads nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/loader/context.h"
#include "whyso/loader/machine.h"
#include "whyso/loader/rules.h"
#include "whyso/loader/verdict.h"
#include "whyso/tree/resolve.h"

namespace whyso::loader {

/// What execve(2) would be given. The program is a path: PATH is not searched.
struct Command {
  std::vector<std::string> arguments;  ///< argv, the program first; may be "ld.so PROGRAM"
  std::vector<std::pair<std::string, std::string>> variables;
  std::string cwd = "/";
};

/// A process that is ready to be started with Loader and Process::start(program).
struct Launch {
  std::string program;  ///< as it was typed
  ProcessContext context;
  LoaderRules rules;
  /// The kernel refuses to start it: no rules then.
  std::optional<LoadError> kernel_error;
  /// No loader takes part: a static program, or ld.so with an option that loads nothing.
  bool loads_nothing = false;
};

/// A program is started by its PT_INTERP; a shared object as `ldd` does, by the usual loader of
/// its architecture. A set-user-ID program runs in secure mode: it is taken to be started by
/// somebody else than its owner. Unsupported where the loader is none of glibc's; malformed where
/// there is nothing to start in the command.
[[nodiscard]] Result<Launch> prepare(tree::Resolver& resolver, const Command& command,
                                     const Machine& machine);

/// The PT_INTERP that programs of an architecture usually have; empty where it is not known.
[[nodiscard]] std::string_view usual_interpreter(const elf::Abi& abi);

}  // namespace whyso::loader
