// SPDX-License-Identifier: Apache-2.0
// From broken modules to what the user notices, and how loud a finding may be.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "whyso/check/diagnosis.h"
#include "whyso/check/finding.h"

namespace whyso::check {

/// What comes of some modules that cannot be loaded.
struct Effects {
  std::vector<Effect> breaks;           ///< imports that certainly fail
  std::vector<Effect> may_break;        ///< those under a condition that reading cannot decide
  std::set<std::string> names() const;  ///< of the former

  /// An error only where an import certainly fails; a warning where it may; else `otherwise`.
  [[nodiscard]] Severity severity(Severity otherwise) const;
};

/// `modules`: dotted names; `owners`: the distributions that they belong to.
[[nodiscard]] Effects effects_of(const World& world, const Diagnosis& diagnosis,
                                 const std::set<std::string>& modules,
                                 const std::vector<Id<environment::Distribution>>& owners);

/// The same where files are known to be damaged: if no package's own import fails, those of its
/// public modules are asked ("PIL.Image").
[[nodiscard]] Effects effects_of_damage(const World& world, const Diagnosis& diagnosis,
                                        const std::set<std::string>& modules,
                                        const std::vector<Id<environment::Distribution>>& owners);

/// The owners of extension modules with these names.
[[nodiscard]] std::vector<Id<environment::Distribution>> owners_of_modules(
    const World& world, const std::set<std::string>& modules);

/// "`import torch`" or "`import torch` and `import vllm`".
[[nodiscard]] std::string imports_text(const std::vector<Effect>& effects);

/// "`import torch` fails" or "`import torch` and `import vllm` fail".
[[nodiscard]] std::string failing_text(const std::vector<Effect>& effects);

}  // namespace whyso::check
