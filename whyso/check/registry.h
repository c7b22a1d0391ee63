// SPDX-License-Identifier: Apache-2.0
// The list of rules. A rule is one file; its page is docs/rules/CODE-NAME.md.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "whyso/check/diagnosis.h"
#include "whyso/check/finding.h"
#include "whyso/check/world.h"

namespace whyso::check {

struct Rule {
  std::string_view code;
  std::string_view name;
  std::string_view sentence;  ///< what it finds
  std::vector<Finding> (*find)(const World&, const Diagnosis&);
};

/// Sorted by code.
[[nodiscard]] std::span<const Rule> rules();

std::vector<Finding> find_missing_library(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_gutted_package(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_wrong_architecture(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_broken_link(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_metadata_only(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_shared_file(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_bytes_belong_to_other(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_record_mismatch(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_orphan_library(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_duplicate_dist_info(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_unreadable(const World& world, const Diagnosis& diagnosis);

}  // namespace whyso::check
