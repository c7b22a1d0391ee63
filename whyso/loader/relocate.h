// SPDX-License-Identifier: Apache-2.0
// Binding the symbols of what was mapped, with all that follows from it: errors, warnings, static
// TLS, objects that hold others. Maps nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "whyso/loader/references.h"
#include "whyso/loader/state.h"
#include "whyso/loader/unresolved.h"
#include "whyso/loader/verdict.h"

namespace whyso::loader {

/// Relocates those of `init_order` that are not, the last first (dl_main, dl_open_worker), as far
/// as ProcessContext::symbols says. Under Failure::stop it ends at the first error.
std::optional<LoadError> relocate(ProcessState& state, std::span<const Id<Object>> init_order,
                                  bool binds_lazily);

/// Gives each object that is there at the start its place in the static TLS block (init_tls).
void lay_out_tls(ProcessState& state);

/// See Process::unresolved().
[[nodiscard]] std::vector<Unresolved> find_unresolved(const ProcessState& state,
                                                      std::span<const Id<Object>> objects);

/// The effects of one object's relocations: the first error, if any.
std::optional<LoadError> apply_references(ProcessState& state, Id<Object> object,
                                          ObjectReferences references);

/// A binding outside of relocation: `to` must not go away before `from`.
void hold(ProcessState& state, Id<Object> from, Id<Object> to);

/// The object's path, or the program's name: in messages.
[[nodiscard]] const std::string& message_name(const ProcessState& state, Id<Object> object);

}  // namespace whyso::loader
