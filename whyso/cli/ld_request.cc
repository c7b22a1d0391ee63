// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/ld_request.h"

#include <array>

namespace whyso::cli {
namespace {

struct ActionWord {
  std::string_view word;
  LdAction action;
};

constexpr std::array<ActionWord, 5> action_words{{{"c", LdAction::close},
                                                  {"close", LdAction::close},
                                                  {"sym", LdAction::symbol},
                                                  {"default", LdAction::anywhere},
                                                  {"call", LdAction::call}}};

}  // namespace

LdRequest parse_ld_request(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view prefix = text.substr(0, colon == std::string_view::npos ? 0 : colon);
  if (prefix.empty()) return {.name = std::string(text)};
  const std::string name(text.substr(colon + 1));
  for (const ActionWord& known : action_words) {
    if (known.word == prefix) return {.action = known.action, .name = name};
  }
  if (prefix.find_first_not_of("nlgdobv") != std::string_view::npos) {
    return {.name = std::string(text)};
  }
  return {.name = name,
          .flags = {.now = prefix.contains('n'),
                    .lazy = prefix.contains('l'),
                    .global = prefix.contains('g'),
                    .no_delete = prefix.contains('d'),
                    .no_load = prefix.contains('o'),
                    .deep_bind = prefix.contains('b')},
          .is_from_library = prefix.contains('v')};
}

}  // namespace whyso::cli
