// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/path.h"

#include "whyso/base/check.h"

namespace whyso {
namespace {

void append_component(std::string& text, std::string_view component) {
  if (component.empty() || component == ".") return;
  if (component == "..") {
    text.resize(text.empty() ? 0 : text.rfind('/'));
    return;
  }
  text += '/';
  text += component;
}

/// `text` holds "" for the root while components are added.
void append_components(std::string& text, std::string_view path) {
  while (!path.empty()) {
    const auto slash = path.find('/');
    append_component(text, path.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
}

}  // namespace

std::optional<Path> Path::parse(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  return Path().join(text);
}

std::optional<Path> Path::join(std::string_view relative) const {
  if (relative.contains('\0')) return std::nullopt;
  std::string text = is_root() || relative.starts_with('/') ? std::string() : text_;
  append_components(text, relative);
  return text.empty() ? Path() : Path(std::move(text));
}

Path Path::operator/(std::string_view name) const {
  WHYSO_CHECK(!name.empty() && name != "." && name != ".." && !name.contains('/') &&
              !name.contains('\0'));
  std::string text = is_root() ? std::string() : text_;
  text += '/';
  text += name;
  return Path(std::move(text));
}

std::string_view Path::name() const { return std::string_view(text_).substr(text_.rfind('/') + 1); }

Path Path::parent() const {
  const auto slash = text_.rfind('/');
  return slash == 0 ? Path() : Path(text_.substr(0, slash));
}

bool Path::is_within(const Path& folder) const {
  if (folder.is_root()) return true;
  return text_.starts_with(folder.text_) &&
         (text_.size() == folder.text_.size() || text_[folder.text_.size()] == '/');
}

std::string_view Path::within(const Path& folder) const {
  WHYSO_CHECK(is_within(folder));
  const std::size_t skip = folder.is_root() ? 1 : folder.text_.size() + 1;
  return text_.size() <= skip ? std::string_view() : std::string_view(text_).substr(skip);
}

}  // namespace whyso
