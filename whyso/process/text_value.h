// SPDX-License-Identifier: Apache-2.0
// What a Python expression may come to, as far as it is a text or a path. Reads no source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace whyso::process {

/// One text that it may be.
struct PossibleText {
  std::string text;
  bool is_pattern = false;  ///< of glob(): "*", "?" and "[...]" stand for more
  bool is_guess = false;    ///< "*" stands for a part that is not known
  bool operator==(const PossibleText&) const = default;
};

/// All texts that it may be, in the order of the source; none: not known. Lists and their elements
/// are one: which element is taken is not followed.
struct TextValue {
  std::vector<PossibleText> texts;

  static TextValue of(std::string_view text) { return {.texts = {{std::string(text)}}}; }
  [[nodiscard]] bool is_known() const { return !texts.empty(); }
  /// Either of them; no more than a few dozen texts are kept.
  void add(const TextValue& other);
};

/// "a" + "b"; where one of them is not known, "*" stands for it.
[[nodiscard]] TextValue concatenated(const TextValue& left, const TextValue& right);

/// os.path.join of two.
[[nodiscard]] TextValue joined(const TextValue& left, const TextValue& right);

/// os.path.dirname, or `.parent` of a path.
[[nodiscard]] TextValue folder_of(const TextValue& path);

/// os.path.basename, or `.name` of a path.
[[nodiscard]] TextValue name_of(const TextValue& path);

/// The same texts as patterns.
[[nodiscard]] TextValue as_patterns(TextValue value);

/// os.path.normpath of an absolute path, other texts as they are.
[[nodiscard]] std::string normalized(std::string_view text);

}  // namespace whyso::process
