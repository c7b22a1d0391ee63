// SPDX-License-Identifier: Apache-2.0
// Paths inside a tree, as values. Touches no file: symbolic links are resolved in tree/resolve.h.
#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace whyso {

/// An absolute, canonical path: begins with '/', holds no empty, "." or ".." component and no NUL,
/// and does not end in '/' unless it is the root. Any other byte may occur, also invalid UTF-8.
class Path {
 public:
  /// The root "/".
  Path() : text_("/") {}

  /// `text` made canonical by its letters alone ("/a//./b/../c" is "/a/c"; ".." above the root
  /// stays at the root). Nothing where `text` is not absolute or holds a NUL.
  static std::optional<Path> parse(std::string_view text);

  /// `relative` seen from this folder, by its letters alone; an absolute one replaces it. Nothing
  /// where it holds a NUL. Unlike the kernel this does not follow links before "..".
  [[nodiscard]] std::optional<Path> join(std::string_view relative) const;

  /// One component appended; `name` must not be empty, "." or "..", nor hold '/' or NUL.
  [[nodiscard]] Path operator/(std::string_view name) const;

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool is_root() const { return text_.size() == 1; }

  /// The last component, empty for the root. Lives as long as this Path.
  [[nodiscard]] std::string_view name() const;

  /// The folder that holds it; the root is its own parent.
  [[nodiscard]] Path parent() const;

  /// Is it `folder` itself or something below it?
  [[nodiscard]] bool is_within(const Path& folder) const;

  /// The part behind `folder`, without a leading '/', empty for `folder` itself. Only where
  /// `is_within(folder)`. Lives as long as this Path.
  [[nodiscard]] std::string_view within(const Path& folder) const;

  auto operator<=>(const Path&) const = default;
  bool operator==(const Path&) const = default;

 private:
  explicit Path(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

}  // namespace whyso

template <>
struct std::hash<whyso::Path> {
  std::size_t operator()(const whyso::Path& path) const noexcept {
    return std::hash<std::string>()(path.text());
  }
};
