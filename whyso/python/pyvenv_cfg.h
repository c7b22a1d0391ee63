// SPDX-License-Identifier: Apache-2.0
// pyvenv.cfg: what makes a folder a virtual environment, as CPython's getpath and site.py read it.
// Whether the named folders exist is not known here.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/blob.h"

namespace whyso::python {

/// The settings of a virtual environment. Views live as long as it or any copy of it.
class PyvenvCfg {
 public:
  /// Lines without '=' mean nothing; there are no comments.
  static PyvenvCfg parse(Blob text);

  /// The folder of the base interpreter's program; the first one counts (getpath.py). Absent: the
  /// file does not redirect the interpreter.
  [[nodiscard]] std::optional<std::string_view> home() const;

  /// Are the site folders of the base interpreter (and the user's) searched too? The last setting
  /// counts, and without any they are: site.py asks for "true" in any case.
  [[nodiscard]] bool includes_system_site() const;

  /// "3.11.7" of `version`, or of `version_info` without its "final.0"; absent: neither is set.
  [[nodiscard]] std::optional<std::string_view> python_version() const;

  /// The version of uv that made it; absent: not made by uv.
  [[nodiscard]] std::optional<std::string_view> uv() const { return find("uv"); }
  [[nodiscard]] std::optional<std::string_view> virtualenv() const { return find("virtualenv"); }
  [[nodiscard]] std::optional<std::string_view> prompt() const { return find("prompt"); }

  /// The last value of a key; `key` in lower case, those of the file in any.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const;

 private:
  struct Setting {
    std::string_view key;
    std::string_view value;
  };

  Blob text_;
  std::vector<Setting> settings_;
};

}  // namespace whyso::python
