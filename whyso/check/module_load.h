// SPDX-License-Identifier: Apache-2.0
// What becomes of each extension module that is loaded into a fresh Python. Draws no conclusion.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "whyso/check/native.h"
#include "whyso/loader/load.h"

namespace whyso::check {

/// A library that was asked for and could not be had.
struct FailedRequest {
  std::string name;      ///< as asked for
  std::string requirer;  ///< path of the object that asks, as the loader spells it
  loader::Ending ending = loader::Ending::missing;
  std::optional<Id<loader::Search>> search;
};

/// A request that a search answered with a file.
struct ServedRequest {
  Id<loader::Search> search;
  std::optional<Id<loader::KnownFile>> by;  ///< nothing where Python itself asks
};

/// One module opened as `import` does it, in a process of its own.
struct ModuleLoad {
  NativeId module;
  std::string error;                          ///< what the loader says; empty: it loads
  bool is_crash = false;                      ///< the process dies instead of saying it
  std::vector<Id<loader::KnownFile>> mapped;  ///< what it maps, in order, itself first
  std::vector<FailedRequest> failed;          ///< all of them, not only the first
  std::vector<ServedRequest> served;          ///< of what it maps: how it was found
};

/// The started interpreter, from which all loads begin.
struct StartedPython {
  std::string program;  ///< as it was started
  std::optional<loader::Process> process;
  std::string error;  ///< why it does not start, as the loader prints it
};

/// Starts `program` in the model.
[[nodiscard]] StartedPython start_python(loader::Loader& loader, std::string program);

/// The requests of a process from the `first`-th on that a search answered.
[[nodiscard]] std::vector<ServedRequest> served_requests(const loader::Process& process,
                                                         std::size_t first);

/// Opens every object of that role.
[[nodiscard]] std::vector<ModuleLoad> load_all(const StartedPython& python,
                                               const Table<NativeObject>& natives, Role role);

/// Opens one file.
[[nodiscard]] ModuleLoad load_one(const StartedPython& python, const NativeObject& object,
                                  NativeId id);

}  // namespace whyso::check
