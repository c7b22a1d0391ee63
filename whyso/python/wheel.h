// SPDX-License-Identifier: Apache-2.0
// WHEEL: how a distribution was built (binary distribution format). The names of wheel files are
// wheel_name.h, the meaning of tags is tag.h.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/blob.h"

namespace whyso::python {

/// Views live as long as the Wheel or any copy of it.
class Wheel {
 public:
  static Wheel parse(Blob text);

  /// "1.0"; absent in broken files.
  [[nodiscard]] std::optional<std::string_view> wheel_version() const { return wheel_version_; }
  [[nodiscard]] std::optional<std::string_view> generator() const { return generator_; }
  [[nodiscard]] std::optional<std::string_view> build() const { return build_; }

  /// Do its files belong to purelib rather than platlib? Absent: not said, or neither "true" nor
  /// "false".
  [[nodiscard]] std::optional<bool> is_root_purelib() const { return is_root_purelib_; }

  /// Expanded tags as written: "cp311-cp311-manylinux_2_28_x86_64".
  [[nodiscard]] const std::vector<std::string_view>& tags() const { return tags_; }

 private:
  Blob text_;
  std::optional<std::string_view> wheel_version_;
  std::optional<std::string_view> generator_;
  std::optional<std::string_view> build_;
  std::optional<bool> is_root_purelib_;
  std::vector<std::string_view> tags_;
};

}  // namespace whyso::python
