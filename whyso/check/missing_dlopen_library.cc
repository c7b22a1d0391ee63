// SPDX-License-Identifier: Apache-2.0
// SO105: a library that native code opens by a name that stands in it, and that is not found,
// although something shows that it ought to be.
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

/// What shows that the name is not meant to be absent.
struct Witness {
  enum class Kind : std::uint8_t {
    other_name,  ///< a file beside the opener is called almost so
    path,        ///< it lies in a folder of PATH, where the loader does not look
    companions,  ///< nearly all the others that the opener asks for are found
  };
  Kind kind = Kind::other_name;
  std::string text;  ///< the other name; the folder; how many are found
};

bool is_missing_itself(const Opening& opening) {
  return std::ranges::any_of(opening.load.failed, [&](const FailedRequest& failed) {
    return failed.name == opening.name && failed.ending == loader::Ending::missing;
  });
}

/// "libx-7237cb5d.so.1" and "libx.so" for "libx.so.1": the same library under another name.
bool is_renamed(std::string_view present, std::string_view wanted) {
  const std::string_view stem = library_stem(wanted);
  if (stem.empty() || !present.starts_with(stem) || present == wanted) return false;
  std::string_view rest = present.substr(stem.size());
  constexpr std::size_t hash_size = 9;  // "-" and 8 digits, as repair tools add
  const bool has_hash = rest.size() > hash_size && rest[0] == '-' &&
                        std::ranges::all_of(rest.substr(1, hash_size - 1), [](char c) {
                          return is_digit(c) || (c >= 'a' && c <= 'f');
                        });
  // A name without a version may be the beginning of one that is put together.
  if (!has_hash && wanted.ends_with(".so")) return false;
  if (has_hash) rest.remove_prefix(hash_size);
  return rest.starts_with(".so");
}

std::optional<Witness> renamed_sibling(const World& world, const Opening& opening) {
  const Path folder = opening.opener.parent();
  for (const auto& object : world.natives) {
    if (object.path.parent() == folder && is_renamed(object.path.name(), opening.name)) {
      return Witness{Witness::Kind::other_name, std::string(object.path.name())};
    }
  }
  return std::nullopt;
}

std::optional<Witness> in_path(const World& world, const Opening& opening) {
  const std::string path = world.variables.path.value_or("");
  for (const auto entry : split(path, ':')) {
    if (!entry.starts_with('/')) continue;
    const auto walk = world.resolver->resolve(std::string(entry) + "/" + opening.name);
    if (walk.is_found()) {
      return Witness{Witness::Kind::path, std::string(entry)};
    }
  }
  return std::nullopt;
}

/// Of a toolkit's libraries that one file opens at least three are found, and this one is not; no
/// other version of it is among them.
std::optional<Witness> companions(const World& world, const Diagnosis& diagnosis,
                                  const Opening& opening) {
  const auto is_of_toolkit = [&](const std::string& name) {
    return world.knowledge.family_of(name, FamilyRule::generation) != nullptr;
  };
  std::size_t found = 0;
  std::size_t missing = 0;
  for (const auto& other : diagnosis.openings) {
    if (other.opener != opening.opener || !is_of_toolkit(other.name)) continue;
    const bool is_other_version =
        other.name != opening.name && library_stem(other.name) == library_stem(opening.name);
    if (is_other_version) return std::nullopt;
    (other.load.error.empty() ? found : missing) += 1;
  }
  constexpr std::size_t enough = 3;
  const bool stands_out = is_of_toolkit(opening.name) && found >= enough && missing * 3 <= found;
  if (!stands_out) return std::nullopt;
  return Witness{Witness::Kind::companions, counted(found, "other")};
}

std::optional<Witness> witness_of(const World& world, const Diagnosis& diagnosis,
                                  const Opening& opening) {
  if (auto sibling = renamed_sibling(world, opening)) return sibling;
  if (auto path = in_path(world, opening)) return path;
  return companions(world, diagnosis, opening);
}

std::string whose(const World& world, const Opening& opening) {
  const std::string owner =
      opening.native ? owner_title(world, world.natives[*opening.native]) : std::string();
  return owner.empty() ? shown_path(world, opening.opener) : owner;
}

void tell_other_name(const World& world, const Opening& opening, const Witness& witness,
                     Finding& finding) {
  const std::string folder = shown_path(world, opening.opener.parent());
  finding.message += "; " + witness.text + " lies beside it";
  finding.because.push_back({.text = folder + " has it as " + witness.text +
                                     " only, and the loader asks for the exact name"});
  finding.fixes.push_back({.id = "link-name",
                           .applicability = Applicability::unsafe,
                           .commands = {{"ln", "-s", witness.text,
                                         opening.opener.parent().text() + "/" + opening.name}},
                           .summary = "if both are of one release"});
  finding.fixes.push_back(manual_fix(
      "other-release", "a release of " + whose(world, opening) + " that ships " + opening.name));
}

void tell_path(const World& world, const Witness& witness, Finding& finding) {
  finding.message += "; it lies in " + witness.text + ", which is in PATH";
  finding.because.push_back(
      {.text = "PATH is for programs: the loader looks into LD_LIBRARY_PATH, and not into it"});
  const std::string rest = world.variables.ld_library_path.value_or("");
  finding.fixes.push_back({.id = "library-path",
                           .applicability = Applicability::unsafe,
                           .commands = {{"export", "LD_LIBRARY_PATH=" + witness.text +
                                                       (rest.empty() ? "" : ":" + rest)}},
                           .summary = "lets the loader look there"});
}

void tell_companions(const World& world, const Opening& opening, const Witness& witness,
                     Finding& finding) {
  finding.because.push_back({.text = "the " + witness.text +
                                     " that it opens are found, so that this one is meant to be"});
  std::vector<std::string> providers;
  for (const auto& known : world.knowledge.providers_of(opening.name)) {
    providers.push_back(known.package);
  }
  finding.fixes.push_back(manual_fix(
      "library-path", "name the folder that holds " + opening.name + " in LD_LIBRARY_PATH" +
                          (providers.empty() ? ""
                                             : ", or install " + enumerated(providers, 3) +
                                                   " (known to ship it)")));
}

Finding finding_of(const World& world, const Opening& opening, const Witness& witness) {
  Finding finding{.code = "SO105", .severity = Severity::warning, .confidence = Confidence::likely};
  finding.message = std::string(opening.opener.name()) + " of " + whose(world, opening) +
                    " opens " + opening.name + " when it is used, and does not find it";
  Subject subject{.soname = opening.name,
                  .path = shown_path(world, opening.opener),
                  .state = "not found by the one that opens it"};
  if (opening.native && !world.natives[*opening.native].owners.empty()) {
    const auto id = world.natives[*opening.native].owners.front();
    const auto& owner = world.environment.distributions[id];
    subject.package = owner.name;
    subject.version = owner.version;
  }
  finding.subjects.push_back(std::move(subject));
  switch (witness.kind) {
    case Witness::Kind::other_name:
      tell_other_name(world, opening, witness, finding);
      break;
    case Witness::Kind::path:
      tell_path(world, witness, finding);
      break;
    case Witness::Kind::companions:
      tell_companions(world, opening, witness, finding);
      break;
  }
  finding.because.push_back({.text = "the name stands in " + shown_path(world, opening.opener)});
  finding.breaks.push_back(
      {.kind = "first-use", .name = "the first use of " + whose(world, opening)});
  return finding;
}

}  // namespace

std::vector<Finding> find_missing_dlopen_library(const World& world, const Diagnosis& diagnosis) {
  std::vector<Finding> findings;
  for (const auto& opening : diagnosis.openings) {
    if (!is_missing_itself(opening)) continue;
    const auto witness = witness_of(world, diagnosis, opening);
    if (witness) findings.push_back(finding_of(world, opening, *witness));
  }
  return findings;
}

}  // namespace whyso::check
