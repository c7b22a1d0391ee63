// SPDX-License-Identifier: Apache-2.0
// Which versions a requirement takes (PEP 440, "Version specifiers"). Versions are version.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/python/version.h"

namespace whyso::python {

enum class SpecifierOperator : std::uint8_t {
  compatible,     ///< ~=
  equal,          ///< ==, also with a local label or a trailing .*
  not_equal,      ///< !=
  at_most,        ///< <=
  at_least,       ///< >=
  below,          ///< <
  above,          ///< >
  same_spelling,  ///< ===
};

/// May a pre-release or development release match?
enum class PreReleases : std::uint8_t {
  allow,          ///< what counts for an installed version: it is already there
  only_if_named,  ///< what an installer does: only if a clause names one
};

/// One clause, as ">=1.0".
class Specifier {
 public:
  /// Malformed where `text` is no clause.
  static Result<Specifier> parse(std::string_view text);

  [[nodiscard]] SpecifierOperator operation() const { return operation_; }
  /// The version without a trailing ".*"; invalid at most for `same_spelling`.
  [[nodiscard]] const Version& version() const { return version_; }
  [[nodiscard]] bool is_prefix() const { return is_prefix_; }

  /// Pre-releases are treated like any other version. An invalid `candidate` matches `===` alone.
  [[nodiscard]] bool contains(const Version& candidate) const;

  /// Does it name a pre-release, other than to exclude it?
  [[nodiscard]] bool names_prerelease() const;

 private:
  SpecifierOperator operation_ = SpecifierOperator::equal;
  Version version_;
  bool is_prefix_ = false;
};

/// Clauses that must all hold: ">=1.0,<2". The empty set takes every version.
class SpecifierSet {
 public:
  SpecifierSet() = default;

  /// Malformed where a clause is none; empty clauses are skipped.
  static Result<SpecifierSet> parse(std::string_view text);

  [[nodiscard]] const std::vector<Specifier>& clauses() const { return clauses_; }
  [[nodiscard]] bool empty() const { return clauses_.empty(); }

  [[nodiscard]] bool contains(const Version& candidate,
                              PreReleases prereleases = PreReleases::allow) const;

 private:
  std::vector<Specifier> clauses_;
};

}  // namespace whyso::python
