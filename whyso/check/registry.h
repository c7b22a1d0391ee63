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
std::vector<Finding> find_missing_dlopen_library(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_import_order(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_metadata_only(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_shared_file(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_bytes_belong_to_other(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_record_mismatch(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_orphan_library(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_duplicate_dist_info(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_two_majors(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_duplicate_runtime(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_shadowed_by_env(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_system_copy_wins(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_rpath_leaves_env(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_family_parts_differ(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_wrong_cuda_generation(const World& world, const Diagnosis& diagnosis);
std::vector<Finding> find_unreadable(const World& world, const Diagnosis& diagnosis);

}  // namespace whyso::check
