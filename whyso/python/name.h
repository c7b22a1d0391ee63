// SPDX-License-Identifier: Apache-2.0
// Names of distributions and of the folders that hold their metadata. Reads nothing inside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace whyso::python {

/// The one spelling by which names are compared (PEP 503): lower case, each run of '-', '_' and '.'
/// one '-'.
[[nodiscard]] std::string normalized_name(std::string_view name);

/// May a distribution be called so? ASCII letters, digits, '.', '_', '-', with a letter or digit at
/// both ends (core metadata, Name).
[[nodiscard]] bool is_valid_name(std::string_view name);

/// Do the two spell one name? Allocates nothing.
[[nodiscard]] bool is_same_name(std::string_view a, std::string_view b);

/// Where the metadata of an installed distribution lies.
enum class MetadataForm : std::uint8_t {
  dist_info,  ///< NAME-VERSION.dist-info
  egg_info,   ///< NAME[-VERSION[-pyX.Y[-PLATFORM]]].egg-info, a folder or a file
  egg,        ///< NAME-VERSION-pyX.Y[-PLATFORM].egg, which holds EGG-INFO
};

/// What the name of a metadata folder says. Views of the name that was given.
struct MetadataFolderName {
  MetadataForm form = MetadataForm::dist_info;
  std::string_view name;  ///< as written, not normalised
  std::optional<std::string_view>
      version;                             ///< as written ('_' may stand for '-'); absent: not said
  std::optional<std::string_view> python;  ///< "3.11" of "-py3.11"; absent: not said

  bool operator==(const MetadataFolderName&) const = default;
};

/// Nothing where `file_name` is no metadata folder or names no distribution. Folders of old tools
/// that did not escape '-' in the name are split where a valid version follows. Leftovers that pip
/// renamed ("~orch-2.0.dist-info") are none.
[[nodiscard]] std::optional<MetadataFolderName> find_metadata_folder_name(
    std::string_view file_name);

}  // namespace whyso::python
