// SPDX-License-Identifier: Apache-2.0
// What all processes of one world share. Knows no process.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "whyso/loader/context.h"
#include "whyso/loader/files.h"
#include "whyso/loader/search.h"
#include "whyso/loader/symbol_file.h"
#include "whyso/loader/tokens.h"

namespace whyso::loader {

/// A version that one file needs of another, which does not define it.
struct MissingVersion {
  std::string version;
  bool is_weak = false;
  bool is_unversioned_provider = false;  ///< the other file defines no version at all
};

/// What all processes of one world share: rules, files, searches that were made. Processes point
/// to it and must not outlive it. Not to be shared between threads.
class Loader {
 public:
  Loader(tree::Resolver& resolver, LoaderRules rules, ProcessContext context);
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  [[nodiscard]] const LoaderRules& rules() const { return files_.rules(); }
  [[nodiscard]] const ProcessContext& context() const { return context_; }
  [[nodiscard]] Files& files() { return files_; }
  [[nodiscard]] const Files& files() const { return files_; }
  [[nodiscard]] Searches& searches() { return searches_; }
  [[nodiscard]] const Searches& searches() const { return searches_; }
  [[nodiscard]] SymbolFiles& symbols() { return symbols_; }
  /// The bytes of /etc/ld.so.preload, empty where there is none.
  [[nodiscard]] const std::string& preload_file() const { return preload_file_; }
  /// What access(2) says of it: 0 where it is there.
  [[nodiscard]] int preload_error() const { return preload_error_; }

  /// The directories of a library's own paths.
  struct OwnPaths {
    std::optional<Id<DirectoryList>> rpath;
    std::optional<Id<DirectoryList>> runpath;
  };
  /// Of the file as it was opened by that path: $ORIGIN is the path's folder.
  const OwnPaths& own_paths(Id<Opening> opening);
  /// Of a file that the loader calls `path`, with its tokens as given.
  OwnPaths own_paths(const DynamicFacts& dynamic, std::string_view path, const TokenValues& tokens);
  /// The name of the library in the `index`-th entry of a file's version needs.
  NameId version_file(Id<KnownFile> requirer, std::size_t index);
  /// What of that entry `provider` does not define, in the order of the file.
  const std::vector<MissingVersion>& missing_versions(Id<KnownFile> requirer, std::size_t index,
                                                      Id<KnownFile> provider);

  [[nodiscard]] TokenValues tokens(std::optional<std::string> origin) const;

 private:
  ProcessContext context_;
  Files files_;
  Searches searches_;
  SymbolFiles symbols_;
  std::string preload_file_;
  int preload_error_;
  std::unordered_map<std::uint32_t, OwnPaths> own_paths_;                 // by Id<Opening>
  std::unordered_map<std::uint32_t, std::vector<NameId>> version_files_;  // by Id<KnownFile>
  // By requirer, entry and provider; most are empty.
  std::unordered_map<std::uint64_t, std::vector<MissingVersion>> missing_versions_;
};

}  // namespace whyso::loader
