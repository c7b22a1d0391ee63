// SPDX-License-Identifier: Apache-2.0
// What the loader compares once all files are mapped: symbol versions, then the CPU level. Which
// symbol binds to which version is not known here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "whyso/loader/state.h"
#include "whyso/loader/verdict.h"

namespace whyso::loader {

enum class VersionFaultKind : std::uint8_t {
  no_information,  ///< a warning at program start, nothing in a dlopen
  weak_missing,    ///< the same
  missing,
  no_relr_marker,  ///< DT_RELR without the version that promises it is understood
  no_provider,     ///< the library is not loaded: the process ends with a failed assertion
};

struct VersionFault {
  VersionFaultKind kind = VersionFaultKind::missing;
  Id<Object> object;  ///< the message begins with its name
  std::string what;

  /// The load fails.
  [[nodiscard]] bool is_error() const { return kind >= VersionFaultKind::missing; }
};

/// What is wrong with the versions that these objects need, in the loader's order
/// (_dl_check_map_versions), up to the first that ends the check at once. A library that is
/// `may_lack` may be absent: its versions are not looked at.
[[nodiscard]] std::vector<VersionFault> check_versions(const ProcessState& state,
                                                       const std::vector<Id<Object>>& objects,
                                                       bool may_lack);

/// The first object that asks for a higher x86 level than the machine has (glibc 2.33).
[[nodiscard]] std::optional<Id<Object>> find_isa_fault(const ProcessState& state,
                                                       const std::vector<Id<Object>>& objects);

/// "Inconsistency detected by ld.so: ...": the text of no_provider.
[[nodiscard]] std::string assertion_text(const LoaderRules& rules);

}  // namespace whyso::loader
