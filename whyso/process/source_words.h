// SPDX-License-Identifier: Apache-2.0
// Questions to a Python source that its words answer, without its grammar: comments and texts count
// as code. So each says yes too often rather than too rarely.
#pragma once

#include <cstddef>
#include <string_view>

namespace whyso::process {

/// std::string_view::find, but as fast for parts that begin with a frequent letter.
[[nodiscard]] std::size_t find_part(std::string_view text, std::string_view part,
                                    std::size_t from = 0);

/// Does the identifier stand anywhere in it?
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

/// Does a quote follow the identifier somewhere: "word", 'package.word'?
[[nodiscard]] bool has_word_before_quote(std::string_view text, std::string_view word);

/// May the code bind the name in its namespace: by an assignment, a definition, an import or as the
/// target of a loop? Attributes of that name do not count.
[[nodiscard]] bool may_bind(std::string_view text, std::string_view name);

/// Where code begins that answers for attributes that it does not bind by name: a module
/// `__getattr__`, globals(), setattr() and the like. The text's size where there is none.
[[nodiscard]] std::size_t find_own_attributes(std::string_view text);

/// What a source does to the search itself, so that a name that no file answers may be there.
struct SearchTricks {
  bool makes_modules = false;         ///< sys.modules, sys.meta_path
  bool changes_path = false;          ///< sys.path
  bool changes_package_path = false;  ///< `__path__`
};

[[nodiscard]] SearchTricks find_tricks(std::string_view text);

}  // namespace whyso::process
