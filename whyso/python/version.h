// SPDX-License-Identifier: Apache-2.0
// Versions of distributions (PEP 440): read, normalised, ordered. Which of them a requirement
// takes is specifier.h.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whyso::python {

/// A non-negative number of any length: decimal digits without leading zeros, "0" for zero.
class VersionNumber {
 public:
  VersionNumber() = default;
  /// `digits` must be ASCII digits; none at all is zero.
  explicit VersionNumber(std::string_view digits);

  [[nodiscard]] const std::string& digits() const { return digits_; }
  [[nodiscard]] bool is_zero() const { return digits_ == "0"; }
  /// The number, or the largest one where it does not fit.
  [[nodiscard]] std::uint64_t value() const;

  std::strong_ordering operator<=>(const VersionNumber& other) const;
  bool operator==(const VersionNumber&) const = default;

 private:
  std::string digits_ = "0";
};

enum class PreRelease : std::uint8_t { alpha, beta, candidate };

/// The parts of a valid version.
struct VersionParts {
  struct Pre {
    PreRelease kind = PreRelease::alpha;
    VersionNumber number;

    auto operator<=>(const Pre&) const = default;
  };

  VersionNumber epoch;
  std::vector<VersionNumber> release;  ///< at least one, as many as were written
  std::optional<Pre> pre;
  std::optional<VersionNumber> post;
  std::optional<VersionNumber> dev;
  std::vector<std::string> local;  ///< segments in lower case; empty: no local label
};

/// A version as written. A text that breaks PEP 440 is kept and called invalid; such versions are
/// ordered by their letters and before all valid ones.
class Version {
 public:
  static Version parse(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool is_valid() const { return parts_.has_value(); }

  /// Only where `is_valid()`.
  [[nodiscard]] const VersionParts& parts() const { return *parts_; }

  /// "1!2.0rc1.post3.dev4+cu128"; an invalid one as written.
  [[nodiscard]] std::string normalized() const;

  /// Up to the local label: "2.10.0" of "2.10.0+cu128"; an invalid one as written.
  [[nodiscard]] std::string public_text() const;

  /// Epoch and release alone: "2.10.0" of "2.10.0rc1+cu128"; an invalid one as written.
  [[nodiscard]] std::string base_text() const;

  /// Has it a pre-release or development part? Never for an invalid one.
  [[nodiscard]] bool is_prerelease() const;
  [[nodiscard]] bool is_postrelease() const { return parts_ && parts_->post; }

  /// The same version without its local label.
  [[nodiscard]] Version without_local() const;

  /// The order of PEP 440: 1.0.dev1 < 1.0a1 < 1.0 = 1.0.0 < 1.0+local < 1.0.post1.
  std::weak_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }

 private:
  std::string text_;
  std::optional<VersionParts> parts_;
};

/// The order of two release segments, the shorter one filled up with zeros.
[[nodiscard]] std::strong_ordering compare_releases(const std::vector<VersionNumber>& a,
                                                    const std::vector<VersionNumber>& b);

}  // namespace whyso::python
