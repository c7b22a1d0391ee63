// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/specifier.h"

#include <algorithm>
#include <array>
#include <utility>

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

struct Spelling {
  std::string_view text;
  SpecifierOperator operation;
};

/// Longer spellings before those they begin with.
constexpr std::array spellings = {Spelling{"===", SpecifierOperator::same_spelling},
                                  Spelling{"~=", SpecifierOperator::compatible},
                                  Spelling{"==", SpecifierOperator::equal},
                                  Spelling{"!=", SpecifierOperator::not_equal},
                                  Spelling{"<=", SpecifierOperator::at_most},
                                  Spelling{">=", SpecifierOperator::at_least},
                                  Spelling{"<", SpecifierOperator::below},
                                  Spelling{">", SpecifierOperator::above}};

bool is_equality(SpecifierOperator operation) {
  return operation == SpecifierOperator::equal || operation == SpecifierOperator::not_equal;
}

bool is_bare_release(const VersionParts& parts) {
  return !parts.pre && !parts.post && !parts.dev && parts.local.empty();
}

/// Does `candidate` begin with the first `length` numbers of `prefix`, in the same epoch?
bool has_prefix(const VersionParts& candidate, const VersionParts& prefix, std::size_t length) {
  if (candidate.epoch != prefix.epoch) return false;
  for (std::size_t i = 0; i < length; ++i) {
    const VersionNumber number =
        i < candidate.release.size() ? candidate.release[i] : VersionNumber();
    if (number != prefix.release[i]) return false;
  }
  return true;
}

bool is_equal(const Version& candidate, const Version& version, bool is_prefix) {
  if (is_prefix) {
    return has_prefix(candidate.parts(), version.parts(), version.parts().release.size());
  }
  return (version.parts().local.empty() ? candidate.without_local() : candidate) == version;
}

/// "The exclusive ordered comparison >V MUST NOT allow a post-release of the given version unless V
/// itself is a post release", nor a local version of it.
bool is_above(const Version& candidate, const Version& version) {
  if (candidate.without_local() <= version) return false;
  const VersionParts& given = version.parts();
  if (given.dev || given.post) return true;
  const VersionParts& parts = candidate.parts();
  const bool is_post_of_given = parts.post && parts.epoch == given.epoch &&
                                compare_releases(parts.release, given.release) == 0 &&
                                parts.pre == given.pre;
  return !is_post_of_given;
}

/// "The exclusive ordered comparison <V MUST NOT allow a pre-release of the specified version
/// unless the specified version is itself a pre-release."
bool is_below(const Version& candidate, const Version& version) {
  if (version.is_prerelease()) return candidate < version;
  return candidate < Version::parse(version.public_text() + ".dev0");
}

bool is_compatible(const Version& candidate, const Version& version) {
  return candidate >= version &&
         has_prefix(candidate.parts(), version.parts(), version.parts().release.size() - 1);
}

bool is_allowed_version(SpecifierOperator operation, const Version& version, bool is_prefix) {
  if (operation == SpecifierOperator::same_spelling) return !version.text().empty();
  if (!version.is_valid()) return false;
  const VersionParts& parts = version.parts();
  if (is_prefix) return is_equality(operation) && is_bare_release(parts);
  if (operation == SpecifierOperator::compatible && parts.release.size() < 2) return false;
  return is_equality(operation) || parts.local.empty();
}

}  // namespace

Result<Specifier> Specifier::parse(std::string_view text) {
  const std::string_view clause = trim(text);
  const auto fail = [&] {
    return failure(ErrorKind::malformed, "",
                   "`" + std::string(clause) + "` is no version specifier");
  };
  const auto* spelling = std::ranges::find_if(
      spellings, [&](const Spelling& one) { return clause.starts_with(one.text); });
  if (spelling == spellings.end()) return fail();
  Specifier specifier;
  specifier.operation_ = spelling->operation;
  std::string_view version = trim(clause.substr(spelling->text.size()));
  if (version.find_first_of(" \t\r\n;)") != std::string_view::npos) return fail();
  if (spelling->operation != SpecifierOperator::same_spelling && version.ends_with(".*")) {
    specifier.is_prefix_ = true;
    version.remove_suffix(2);
  }
  specifier.version_ = Version::parse(version);
  if (!is_allowed_version(specifier.operation_, specifier.version_, specifier.is_prefix_)) {
    return fail();
  }
  return specifier;
}

bool Specifier::contains(const Version& candidate) const {
  if (operation_ == SpecifierOperator::same_spelling) {
    return lower(candidate.text()) == lower(version_.text());
  }
  if (!candidate.is_valid()) return false;
  switch (operation_) {
    case SpecifierOperator::compatible:
      return is_compatible(candidate, version_);
    case SpecifierOperator::equal:
      return is_equal(candidate, version_, is_prefix_);
    case SpecifierOperator::not_equal:
      return !is_equal(candidate, version_, is_prefix_);
    case SpecifierOperator::at_most:
      return candidate.without_local() <= version_;
    case SpecifierOperator::at_least:
      return candidate >= version_;
    case SpecifierOperator::below:
      return is_below(candidate, version_);
    case SpecifierOperator::above:
      return is_above(candidate, version_);
    case SpecifierOperator::same_spelling:
      break;
  }
  return false;
}

bool Specifier::names_prerelease() const {
  return operation_ != SpecifierOperator::not_equal && version_.is_prerelease();
}

Result<SpecifierSet> SpecifierSet::parse(std::string_view text) {
  SpecifierSet set;
  for (const std::string_view clause : split(text, ',')) {
    if (!trim(clause).empty()) set.clauses_.push_back(TRY(Specifier::parse(clause)));
  }
  return set;
}

bool SpecifierSet::contains(const Version& candidate, PreReleases prereleases) const {
  const bool is_refused = prereleases == PreReleases::only_if_named && candidate.is_prerelease() &&
                          !std::ranges::any_of(clauses_, &Specifier::names_prerelease);
  return !is_refused && std::ranges::all_of(clauses_, [&](const Specifier& clause) {
    return clause.contains(candidate);
  });
}

}  // namespace whyso::python
