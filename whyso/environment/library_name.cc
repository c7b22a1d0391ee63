// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/library_name.h"

#include "whyso/base/text.h"

namespace whyso::environment {

std::optional<LibraryName> find_library_name(std::string_view folder) {
  LibraryName name{.text = std::string(folder)};
  std::string_view rest = folder;
  if (rest.starts_with("python")) {
    name.implementation = "CPython";
    rest.remove_prefix(6);
  } else if (rest.starts_with("pypy")) {
    name.implementation = "PyPy";
    rest.remove_prefix(4);
  }
  if (name.implementation.empty()) return std::nullopt;
  const bool is_free_threaded = rest.ends_with('t');
  if (is_free_threaded) rest.remove_suffix(1);
  const auto dot = rest.find('.');
  if (dot != 1) return std::nullopt;
  if (!parse_decimal(rest.substr(0, dot)) || !parse_decimal(rest.substr(dot + 1))) {
    return std::nullopt;
  }
  name.version = rest;
  return name;
}

}  // namespace whyso::environment
