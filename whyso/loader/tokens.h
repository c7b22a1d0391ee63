// SPDX-License-Identifier: Apache-2.0
// $ORIGIN, $LIB and $PLATFORM, and the lists of directories in which they stand. Opens nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whyso::loader {

/// What the tokens stand for in one object.
struct TokenValues {
  std::optional<std::string> origin;  ///< nothing: not known (a program without /proc)
  std::string library;                ///< $LIB
  std::string platform;               ///< $PLATFORM
  bool is_secure = false;             ///< a set-user-ID process
  bool is_program = false;            ///< in secure mode its origin must be a default directory
  std::vector<std::string> trusted;   ///< the default directories, each with a final '/'
};

/// Is there a token in `text` that the loader knows (_dl_dst_count)?
[[nodiscard]] bool has_token(std::string_view text);

/// `text` with its tokens replaced (_dl_dst_substitute); unknown "$x" stays. Empty where a known
/// token has no value or secure mode forbids it: the whole text is then dropped.
[[nodiscard]] std::string expand_tokens(std::string_view text, const TokenValues& values);

/// The directories of an RPATH, RUNPATH or LD_LIBRARY_PATH (fillin_rpath): each ends in '/' and
/// occurs once; an empty element is the current directory and stays the empty text. `separators`
/// is ":" or ":;".
[[nodiscard]] std::vector<std::string> directories_of(std::string_view list,
                                                      std::string_view separators,
                                                      const TokenValues& values);

/// The folder part of a path as it is written, made absolute: $ORIGIN of a library.
[[nodiscard]] std::string origin_of(std::string_view path, std::string_view cwd);

}  // namespace whyso::loader
