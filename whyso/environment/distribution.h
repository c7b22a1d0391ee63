// SPDX-License-Identifier: Apache-2.0
// What is installed, as the metadata folders say it. Whether the listed files are there is
// ownership.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/environment/file_list.h"
#include "whyso/environment/file_scope.h"
#include "whyso/environment/inventory.h"
#include "whyso/environment/search_path.h"
#include "whyso/python/direct_url.h"
#include "whyso/python/metadata.h"
#include "whyso/python/wheel.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

enum class DistributionKind : std::uint8_t {
  dist_info,
  egg_info_folder,
  egg_info_file,
  egg,       ///< a folder NAME.egg with EGG-INFO in it
  egg_link,  ///< a development install that is on no sys.path
  conda,
};

struct Distribution {
  std::string name;        ///< as METADATA writes it, else as the folder is called
  std::string normalized;  ///< PEP 503
  std::string version;     ///< as written; empty: not said
  DistributionKind kind = DistributionKind::dist_info;
  Path metadata;  ///< the dist-info or egg-info folder, the egg-info or conda-meta file
  Path site;      ///< the entry of sys.path (without links) it was found in; conda: the prefix

  /// METADATA or PKG-INFO. Absent for conda packages and empty folders.
  Lookup<python::Metadata> core = Absent();
  /// RECORD, installed-files.txt or conda-meta.
  Lookup<FileList> files = Absent();
  Lookup<python::Wheel> wheel = Absent();
  std::string installer;  ///< the first line of INSTALLER, "conda"; empty: not said
  bool is_requested = false;
  std::optional<python::DirectUrl> direct_url;
  bool is_editable = false;

  std::vector<std::string> required;  ///< requirement strings as written
  std::vector<std::string> extras;    ///< Provides-Extra
  std::vector<Error> problems;        ///< what of it could not be read

  /// "torch 2.10.0", or the name alone.
  [[nodiscard]] std::string title() const { return version.empty() ? name : name + " " + version; }
};

/// All distributions on sys.path in its order, then by the name of their folder; those of a conda
/// prefix (its conda-meta) last. Two of one name are both kept. Metadata folders are read in
/// parallel; none of what RECORD lists is touched. Their lists hold what `scope` chooses.
[[nodiscard]] std::vector<Distribution> read_distributions(const tree::FileTree& tree,
                                                           const SearchPath& search_path,
                                                           const Inventory& inventory,
                                                           const Path& prefix,
                                                           const FileScope& scope = {});

}  // namespace whyso::environment
