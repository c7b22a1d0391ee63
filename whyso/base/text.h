// SPDX-License-Identifier: Apache-2.0
// Small questions to text. ASCII only: no locale is ever consulted.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whyso {

/// The parts between the separators; "a,,b" has three, "" has one (empty). Views of `text`.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// Lines without their end ("\n" or "\r\n"); a last line without an end counts. Views of `text`.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// Without ASCII white space at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);

[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);

[[nodiscard]] char lower(char c);
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] bool is_digit(char c);
[[nodiscard]] bool is_alphanumeric(char c);

/// `text` with every `from` replaced; `from` must not be empty.
[[nodiscard]] std::string replace_all(std::string_view text, std::string_view from,
                                      std::string_view to);

/// The decimal number that is the whole of `text`; nothing where it is none or does not fit.
[[nodiscard]] std::optional<std::uint64_t> parse_decimal(std::string_view text);

/// Is it well-formed UTF-8?
[[nodiscard]] bool is_utf8(std::string_view text);

/// For terminals and JSON: control characters and bytes that are not UTF-8 written as \xNN, a
/// backslash before such a form as \\; all else as it is.
[[nodiscard]] std::string printable(std::string_view text);

/// Number of columns that UTF-8 text takes in a terminal, one a code point.
[[nodiscard]] std::size_t columns(std::string_view text);

/// Number of insertions, deletions, replacements and swaps of neighbours between the two.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Those of `known` that a user who typed `typed` may have meant, the closest first, at most three.
[[nodiscard]] std::vector<std::string> closest(std::string_view typed,
                                               std::span<const std::string> known);

/// `text` as one word of a POSIX shell, quoted only where it must be.
[[nodiscard]] std::string shell_word(std::string_view text);

/// "1 file", "2 files", "1,986 libraries" for the noun "file" or "library".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// "a", "a and b", "a, b and c"; more than `most` end in "and N more".
[[nodiscard]] std::string enumerated(std::span<const std::string> words, std::size_t most = 4);

/// "1,986": digits in groups of three.
[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace whyso
