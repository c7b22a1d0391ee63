// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/narrow.h"

#include <gtest/gtest.h>

namespace whyso::cli {
namespace {

using Codes = std::vector<std::string>;

const report::RuleNames names = {{"SO102", "gutted-package"},
                                 {"SO203", "bytes-belong-to-other"},
                                 {"SO903", "unused-suppression"}};

check::Report report() {
  return {.findings = {{.code = "SO102", .message = "gone"},
                       {.code = "SO203",
                        .severity = check::Severity::warning,
                        .message = "swapped",
                        .subjects = {{.package = "nvidia-nccl-cu13"}}}}};
}

Codes codes_of(const check::Report& report) {
  Codes codes;
  for (const auto& finding : report.findings) codes.push_back(finding.code);
  return codes;
}

Codes left(const Wanted& wanted) { return codes_of(narrowed(report(), wanted, names)); }

TEST(Narrow, without_wishes_nothing_changes) { EXPECT_EQ(left({}), (Codes{"SO102", "SO203"})); }

TEST(Narrow, rules_are_chosen_by_code_beginning_or_name) {
  EXPECT_EQ(left({.select = {"SO203"}}), Codes{"SO203"});
  EXPECT_EQ(left({.select = {"SO1"}}), Codes{"SO102"});
  EXPECT_EQ(left({.ignore = {"gutted-package"}}), Codes{"SO203"});
  EXPECT_EQ(left({.select = {"SO"}, .ignore = {"SO2"}}), Codes{"SO102"});
}

TEST(Narrow, an_entry_silences_its_package_only_and_spelling_does_not_matter) {
  const Suppression entry = {.code = "SO203", .package = "NVIDIA_nccl.cu13", .reason = "wanted"};
  const auto result = narrowed(report(), {.suppressions = {entry}}, names);
  EXPECT_EQ(codes_of(result), Codes{"SO102"});
  ASSERT_EQ(result.suppressed.size(), 1U);
  EXPECT_EQ(result.suppressed[0].reason, "wanted");
}

TEST(Narrow, a_finding_is_silent_only_where_all_its_packages_are_covered) {
  check::Report two = report();
  two.findings[1].subjects.push_back(
      {.package = "nvidia-cudnn-cu12", .content_of = "cudnn-13 9.1"});
  const Suppression nccl = {.code = "SO203", .package = "nvidia-nccl-cu13", .reason = "wanted"};
  const Suppression cudnn = {.code = "SO203", .package = "cudnn-13", .reason = "wanted too"};
  const auto half = narrowed(two, {.suppressions = {nccl}}, names);
  EXPECT_EQ(codes_of(half), (Codes{"SO102", "SO203"}));
  EXPECT_TRUE(half.suppressed.empty());
  EXPECT_EQ(codes_of(narrowed(two, {.suppressions = {nccl, cudnn}}, names)), Codes{"SO102"});
}

TEST(Narrow, an_entry_that_silences_nothing_is_a_note) {
  const Suppression entry = {.code = "SO203", .package = "torch", .reason = "wanted"};
  const auto result = narrowed(report(), {.suppressions = {entry}}, names);
  EXPECT_EQ(codes_of(result), (Codes{"SO102", "SO203", "SO903"}));
  EXPECT_EQ(result.findings[2].severity, check::Severity::note);
  EXPECT_EQ(result.findings[2].message, "the ignore entry SO203 for torch silences nothing");
}

TEST(Narrow, an_entry_holds_on_its_last_day_and_not_after_it) {
  const Suppression entry = {.code = "SO203", .until = "2026-12-31", .reason = "wanted"};
  EXPECT_EQ(left({.suppressions = {entry}, .today = "2026-12-31"}), Codes{"SO102"});
  const auto late = narrowed(report(), {.suppressions = {entry}, .today = "2027-01-01"}, names);
  EXPECT_EQ(codes_of(late), (Codes{"SO102", "SO203", "SO903"}));
  EXPECT_EQ(late.findings[2].message, "the ignore entry SO203 has expired on 2026-12-31");
}

TEST(Narrow, an_entry_for_a_rule_that_was_not_selected_is_not_called_unused) {
  const Suppression entry = {.code = "SO203", .package = "torch", .reason = "wanted"};
  EXPECT_EQ(left({.select = {"SO102", "SO903"}, .suppressions = {entry}}), Codes{"SO102"});
}

TEST(Narrow, a_category_is_no_worse_than_what_is_left) {
  check::Report bad = report();
  bad.categories = {{"files", check::Category::State::error, "2 files are gone"}};
  EXPECT_EQ(narrowed(bad, {}, names).categories[0].state, check::Category::State::error);
  EXPECT_EQ(narrowed(bad, {.ignore = {"SO102"}}, names).categories[0].state,
            check::Category::State::warning);
  EXPECT_EQ(narrowed(bad, {.ignore = {"SO"}}, names).categories[0].state,
            check::Category::State::note);
}

TEST(Narrow, a_code_of_no_rule_is_wrong_usage_with_a_guess) {
  EXPECT_TRUE(check_codes({.select = {"SO1", "gutted-package"}}, names));
  const auto checked = check_codes({.ignore = {"guted-package"}}, names);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "--ignore: `guted-package` is no rule");
  EXPECT_EQ(checked.error().hint, "did you mean gutted-package?");
}

}  // namespace
}  // namespace whyso::cli
