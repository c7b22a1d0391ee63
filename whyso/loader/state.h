// SPDX-License-Identifier: Apache-2.0
// The memory of one process, as a value. Decides nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "whyso/loader/id_list.h"
#include "whyso/loader/loader.h"
#include "whyso/loader/object.h"
#include "whyso/loader/static_tls.h"
#include "whyso/loader/unique_symbols.h"
#include "whyso/loader/unresolved.h"

namespace whyso::loader {

struct ProcessState {
  Loader* loader = nullptr;
  std::string program_name;                       ///< argv[0]
  std::optional<std::string> program_origin;      ///< $ORIGIN of the program
  std::optional<Id<DirectoryList>> library_path;  ///< LD_LIBRARY_PATH
  ObjectList objects;
  IdPool lists;
  StaticTls tls;
  bool has_executable_stack = false;  ///< of the threads; since glibc 2.41 no dlopen changes it
  UniqueSymbols unique;
  std::vector<Id<Object>> initialized;  ///< those whose constructors ran, in order
  std::vector<Bound> bound;             ///< in order, where they are asked for
  std::vector<Request> requests;
  std::vector<std::string> warnings;
};

/// The program, ld.so and the vDSO are the first objects of every process.
inline constexpr Id<Object> program_id{0};
inline constexpr Id<Object> loader_id{1};
inline constexpr Id<Object> vdso_id{2};

}  // namespace whyso::loader
