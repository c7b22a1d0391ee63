// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/knowledge.h"

#include <algorithm>
#include <array>
#include <utility>

#include "whyso/base/text.h"

namespace whyso::check {
namespace {

void add_condition(KnownProvider& provider, std::string_view term) {
  if (term.empty()) return;
  if (term.starts_with("cuda=")) {
    provider.cuda = term.substr(5);
  } else if (term.starts_with("version")) {
    if (!provider.versions.empty()) provider.versions += ',';
    provider.versions += term.substr(7);
  } else {
    if (!provider.words.empty()) provider.words += ", ";
    provider.words += term;
  }
}

Result<KnownProvider> parse_row(std::string_view line, const std::string& where) {
  const auto fields = split(line, '|');
  if (fields.size() != 5) {
    return failure(ErrorKind::malformed, where, "a row has five fields between bars");
  }
  const std::string_view provider = trim(fields[1]);
  const auto space = provider.find(' ');
  if (space == std::string_view::npos) {
    return failure(ErrorKind::malformed, where, "a provider is a kind and a name");
  }
  KnownProvider row{.pattern = std::string(trim(fields[0])),
                    .kind = std::string(provider.substr(0, space)),
                    .package = std::string(trim(provider.substr(space))),
                    .source = std::string(trim(fields[3])),
                    .date = std::string(trim(fields[4]))};
  for (const auto term : split(trim(fields[2]), ',')) add_condition(row, trim(term));
  return row;
}

constexpr std::array<std::pair<std::string_view, FamilyRule>, 4> family_rules = {{
    {"generation", FamilyRule::generation},
    {"one-major", FamilyRule::one_major},
    {"parts", FamilyRule::parts},
    {"runtime", FamilyRule::runtime},
}};

Result<LibraryFamily> parse_family(std::string_view line, const std::string& where) {
  const auto fields = split(line, '|');
  if (fields.size() != 5) {
    return failure(ErrorKind::malformed, where, "a row has five fields between bars");
  }
  const auto rule = std::ranges::find(family_rules, trim(fields[1]),
                                      &std::pair<std::string_view, FamilyRule>::first);
  if (rule == family_rules.end()) return failure(ErrorKind::malformed, where, "no such rule");
  return LibraryFamily{.pattern = std::string(trim(fields[0])),
                       .rule = rule->second,
                       .name = std::string(trim(fields[2]))};
}

}  // namespace

Result<Knowledge> Knowledge::parse(std::string_view text, std::string_view where) {
  Knowledge knowledge;
  std::size_t number = 0;
  for (const auto line : lines_of(text)) {
    ++number;
    if (trim(line).empty() || line.starts_with('#')) continue;
    knowledge.providers.push_back(
        TRY(parse_row(line, std::string(where) + ":" + std::to_string(number))));
  }
  return knowledge;
}

Result<void> Knowledge::add_families(std::string_view text, std::string_view where) {
  std::size_t number = 0;
  for (const auto line : lines_of(text)) {
    ++number;
    if (trim(line).empty() || line.starts_with('#')) continue;
    families.push_back(TRY(parse_family(line, std::string(where) + ":" + std::to_string(number))));
  }
  return {};
}

const LibraryFamily* Knowledge::family_of(std::string_view library, FamilyRule rule) const {
  const auto found = std::ranges::find_if(families, [&](const LibraryFamily& family) {
    return family.rule == rule && fits(family.pattern, library);
  });
  return found == families.end() ? nullptr : &*found;
}

std::vector<KnownProvider> Knowledge::providers_of(std::string_view soname) const {
  std::vector<KnownProvider> found;
  std::ranges::copy_if(providers, std::back_inserter(found), [&](const KnownProvider& provider) {
    return fits(provider.pattern, soname);
  });
  return found;
}

bool fits(std::string_view pattern, std::string_view text) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  pattern.remove_prefix(star + 1);
  text.remove_prefix(star);
  // The shortest text for each star is enough, but for the last one, which takes all that is left.
  for (auto next = pattern.find('*'); next != std::string_view::npos; next = pattern.find('*')) {
    const auto at = text.find(pattern.substr(0, next));
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + next);
    pattern.remove_prefix(next + 1);
  }
  return text.size() >= pattern.size() && text.ends_with(pattern);
}

bool is_driver_library(const Knowledge& knowledge, std::string_view soname) {
  return std::ranges::any_of(knowledge.providers, [&](const KnownProvider& provider) {
    return provider.kind == "driver" && fits(provider.pattern, soname);
  });
}

}  // namespace whyso::check
