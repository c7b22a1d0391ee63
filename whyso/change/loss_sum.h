// SPDX-License-Identifier: Apache-2.0
// What several losses say together, and the one line that says it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "whyso/change/comparison.h"
#include "whyso/change/loss.h"
#include "whyso/check/finding.h"

namespace whyso::change {

/// Losses that one finding tells of; at least one.
using LossGroup = std::vector<const Loss*>;

/// Each distribution, import and module once.
struct Sum {
  DistributionIds removers;
  DistributionIds survivors;
  DistributionIds requirers;
  std::vector<check::Effect> breaks;
  std::vector<const Importer*> importers;
  std::set<std::string> may_break;
  std::size_t libraries = 0;
  std::size_t modules = 0;
};

[[nodiscard]] Sum sum_of(const LossGroup& group);

/// Appends those that are not there yet.
void add_new(DistributionIds& to, const DistributionIds& from);

/// "torch 2.10.0 and vllm 0.12"; more than `most` end in "and N more".
[[nodiscard]] std::string titles(const Comparison& comparison, const DistributionIds& ids,
                                 std::size_t most);

/// "`uv pip uninstall`"
[[nodiscard]] std::string command_of(const Comparison& comparison);

/// "`pip uninstall` would delete libnccl.so.2, which `import torch` needs"
[[nodiscard]] std::string message_of(const Comparison& comparison, const LossGroup& group,
                                     const Sum& sum);

}  // namespace whyso::change
