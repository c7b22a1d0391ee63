// SPDX-License-Identifier: Apache-2.0
// METADATA and PKG-INFO: the core metadata of a distribution. Requirements stay texts here, see
// requirement.h; what the versions mean is version.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/blob.h"

namespace whyso::python {

/// One header: "Requires-Dist: numpy". Views of the text it was read from.
struct MetadataField {
  std::string_view key;    ///< as written
  std::string_view value;  ///< without blanks at its ends; folded lines are kept with their ends

  bool operator==(const MetadataField&) const = default;
};

/// The headers in the format of Python's email package: keys in any case, repeated keys, lines that
/// begin with a blank continue the one before; the first line that is neither ends them. WHEEL
/// files have the same form. Cost: proportional to the headers, not to the body.
[[nodiscard]] std::vector<MetadataField> read_headers(std::string_view text);

/// The core metadata. Views live as long as the Metadata or any copy of it. Text that is no UTF-8
/// is handed on as it is.
class Metadata {
 public:
  static Metadata parse(Blob text);

  [[nodiscard]] const std::vector<MetadataField>& fields() const { return fields_; }

  /// The first value of a key in any case; absent: no such header.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const;

  /// All values of a key in any case, in order.
  [[nodiscard]] std::vector<std::string_view> all(std::string_view key) const;

  /// Mandatory, but missing in broken files.
  [[nodiscard]] std::optional<std::string_view> name() const { return find("Name"); }
  [[nodiscard]] std::optional<std::string_view> version() const { return find("Version"); }
  [[nodiscard]] std::optional<std::string_view> metadata_version() const {
    return find("Metadata-Version");
  }

  [[nodiscard]] std::optional<std::string_view> summary() const { return find("Summary"); }
  [[nodiscard]] std::optional<std::string_view> requires_python() const {
    return find("Requires-Python");
  }
  /// An SPDX expression (PEP 639); `license` is the free text of older metadata.
  [[nodiscard]] std::optional<std::string_view> license_expression() const {
    return find("License-Expression");
  }
  [[nodiscard]] std::optional<std::string_view> license() const { return find("License"); }
  [[nodiscard]] std::vector<std::string_view> license_files() const { return all("License-File"); }

  /// Requirement strings as written, for `Requirement::parse`.
  [[nodiscard]] std::vector<std::string_view> requires_dist() const { return all("Requires-Dist"); }
  [[nodiscard]] std::vector<std::string_view> provides_extra() const {
    return all("Provides-Extra");
  }

 private:
  Blob text_;
  std::vector<MetadataField> fields_;
};

}  // namespace whyso::python
