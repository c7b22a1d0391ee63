// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/tokens.h"

#include <algorithm>
#include <array>

#include "whyso/base/path.h"
#include "whyso/base/text.h"

namespace whyso::loader {
namespace {

enum class Token { none, origin, library, platform };

struct FoundToken {
  Token token = Token::none;
  std::size_t size = 0;  ///< characters behind the '$', braces included
};

struct TokenName {
  Token token;
  std::string_view name;
};

constexpr std::array<TokenName, 3> token_names{
    {{Token::origin, "ORIGIN"}, {Token::platform, "PLATFORM"}, {Token::library, "LIB"}}};

/// The token that stands at the beginning of `text`, which follows a '$'. A longer word that begins
/// with a token's name is none.
FoundToken token_at(std::string_view text) {
  const bool has_brace = text.starts_with('{');
  if (has_brace) text.remove_prefix(1);
  for (const TokenName& known : token_names) {
    if (!text.starts_with(known.name)) continue;
    const std::size_t size = known.name.size();
    const char next = size < text.size() ? text[size] : '\0';
    if (has_brace && next != '}') continue;
    if (is_alphanumeric(next) || next == '_') continue;
    return {known.token, has_brace ? size + 2 : size};
  }
  return {};
}

/// In a set-user-ID process $ORIGIN must be the first and a whole component.
bool is_origin_allowed(std::string_view text, std::size_t at, std::size_t size,
                       const TokenValues& values) {
  if (!values.is_secure) return true;
  const bool is_whole = at + 1 + size == text.size() || text[at + 1 + size] == '/';
  return at == 0 && is_whole;
}

std::optional<std::string> value_of(Token token, const TokenValues& values) {
  if (token == Token::origin) return values.origin;
  return token == Token::library ? values.library : values.platform;
}

/// is_trusted_path_normalize: below a default directory, by its letters.
bool is_trusted(std::string_view path, const TokenValues& values) {
  const auto canonical = Path::parse(path);
  if (!canonical) return false;
  const std::string folder = canonical->text() + "/";
  return std::ranges::any_of(
      values.trusted, [&](const std::string& trusted) { return folder.starts_with(trusted); });
}

}  // namespace

bool has_token(std::string_view text) {
  for (auto at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    if (token_at(text.substr(at + 1)).token != Token::none) return true;
  }
  return false;
}

std::string expand_tokens(std::string_view text, const TokenValues& values) {
  std::string expanded;
  bool must_be_trusted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const FoundToken found = text[at] == '$' ? token_at(text.substr(at + 1)) : FoundToken{};
    if (found.token == Token::none) {
      expanded += text[at];
      continue;
    }
    if (found.token == Token::origin) {
      if (!is_origin_allowed(text, at, found.size, values)) return {};
      must_be_trusted = values.is_secure && values.is_program;
    }
    const auto value = value_of(found.token, values);
    if (!value) return {};
    expanded += *value;
    at += found.size;
  }
  if (must_be_trusted && !is_trusted(expanded, values)) return {};
  return expanded;
}

std::vector<std::string> directories_of(std::string_view list, std::string_view separators,
                                        const TokenValues& values) {
  std::vector<std::string> directories;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find_first_of(separators, begin), list.size());
    const std::string_view element = list.substr(begin, end - begin);
    begin = end + 1;
    std::string directory = expand_tokens(element, values);
    if (directory.empty() && !element.empty()) continue;
    while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
    if (!directory.empty() && !directory.ends_with('/')) directory += '/';
    if (std::ranges::find(directories, directory) == directories.end()) {
      directories.push_back(std::move(directory));
    }
  }
  return directories;
}

std::string origin_of(std::string_view path, std::string_view cwd) {
  std::string absolute(path);
  if (!path.starts_with('/')) {
    absolute = cwd;
    if (!absolute.ends_with('/')) absolute += '/';
    absolute += path;
  }
  const auto slash = absolute.rfind('/');
  return absolute.substr(0, std::max<std::size_t>(slash, 1));
}

}  // namespace whyso::loader
