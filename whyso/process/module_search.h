// SPDX-License-Identifier: Apache-2.0
// From a module's dotted name to the file that answers it, as CPython's path finder searches. Reads
// no module: what code does to sys.path, sys.modules or a `__path__` is not known here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/base/text_map.h"
#include "whyso/process/search_path.h"
#include "whyso/tree/file_tree.h"
#include "whyso/tree/resolve.h"

namespace whyso::process {

enum class ModuleKind : std::uint8_t {
  source,             ///< a .py file
  bytecode,           ///< a .pyc file beside no source
  extension,          ///< a shared object
  namespace_package,  ///< folders without an `__init__`
  standard,           ///< Python's own, with its file where it has one
  missing,            ///< none of these, but a RECORD lists a file that would be
  absent,             ///< nothing of that name
  unknown,            ///< could not look, or made by code: a name below a module of native code
};

/// What answers to a name.
struct FoundModule {
  ModuleKind kind = ModuleKind::absent;
  bool is_package = false;
  /// source, bytecode, extension: that file; standard: it, where it is one; missing: the file that
  /// is gone. Spelled from the folder of sys.path, links not followed.
  std::optional<Path> file;
  /// A package's `__path__`: one folder, or the portions of a namespace package.
  std::vector<Path> portions;
  /// namespace_package: the `__init__` that a RECORD lists and that is gone.
  std::optional<Path> missing_init;
  /// unknown: why.
  std::optional<Error> problem;

  [[nodiscard]] bool has_code() const {
    return kind == ModuleKind::source || kind == ModuleKind::bytecode ||
           kind == ModuleKind::extension;
  }
};

/// Searches as `importlib._bootstrap_external.PathFinder` does; remembers every listing and answer.
/// Not to be shared between threads.
class ModuleSearch {
 public:
  /// `tree` must outlive it.
  ModuleSearch(const tree::FileTree& tree, SearchPath path);

  [[nodiscard]] const SearchPath& path() const { return path_; }

  /// `name` is absolute ("a.b.c"). The answer lives as long as the search.
  const FoundModule& find(std::string_view name);

  /// What a folder holds, sorted by name; empty where it cannot be read. Lives as long as the
  /// search.
  const std::vector<tree::DirectoryEntry>& entries_of(const Path& folder) {
    return list(folder).entries;
  }
  /// Is it a folder, through links?
  [[nodiscard]] bool is_folder(const Path& folder);

  /// The bytes of a file that `find` answered, read through links.
  [[nodiscard]] Lookup<tree::FileContent> read(const Path& file);

 private:
  struct Suffix {
    std::string text;
    ModuleKind kind = ModuleKind::source;
  };
  struct Folder {
    std::vector<tree::DirectoryEntry> entries;
    std::optional<Error> problem;
  };
  FoundModule search(std::string_view name);
  FoundModule search_top_level(std::string_view name);
  FoundModule search_below(const FoundModule& parent, std::string_view parent_name,
                           std::string_view tail);
  FoundModule search_folders(const std::vector<Path>& folders, std::string_view tail);
  std::optional<FoundModule> search_folder(const Path& folder, std::string_view tail,
                                           FoundModule& so_far);
  std::optional<FoundModule> find_package(const Path& folder);
  std::optional<FoundModule> find_missing(const std::vector<Path>& folders, std::string_view tail);
  std::optional<Path> find_missing_file(const Path& folder, std::string_view stem) const;
  const Folder& list(const Path& folder);
  std::optional<tree::FileKind> kind_of(const Path& folder, std::string_view name);
  bool is_standard_folder(const Path& folder) const;

  tree::Resolver resolver_;
  SearchPath path_;
  std::vector<Suffix> suffixes_;
  std::unordered_set<Path> missing_files_;
  std::unordered_map<Path, Folder> folders_;
  TextMap<FoundModule> found_;
};

}  // namespace whyso::process
