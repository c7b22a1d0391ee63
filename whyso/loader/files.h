// SPDX-License-Identifier: Apache-2.0
// What files are to one loader, remembered: each path is opened once and each file read once,
// however many processes ask. Searches for nothing.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "whyso/loader/error_number.h"
#include "whyso/loader/names.h"
#include "whyso/loader/object_file.h"
#include "whyso/loader/rules.h"
#include "whyso/tree/resolve.h"

namespace whyso::loader {

/// A Want with its name as a number.
struct WantedName {
  NameId name;
  WantKind kind = WantKind::needed;
  bool has_token = false;
};

/// An ObjectFile with its names as numbers.
struct KnownFile {
  ObjectFile object;
  std::optional<NameId> soname;
  std::vector<WantedName> wants;
};

/// What open(2) and open_verify() say of a file.
struct Answer {
  Verdict verdict = Verdict::taken;  ///< taken also where only mapping the file will fail
  int error_number = 0;              ///< errno as it stands afterwards
  std::optional<Id<KnownFile>> file;

  /// The search ends here: the file is used, or refused with an error.
  [[nodiscard]] bool is_final() const {
    return verdict == Verdict::taken || verdict == Verdict::refused;
  }
};

/// The same with the path as it is written, which the loader keeps and prints.
struct Opening : Answer {
  NameId path;
};

/// A directory as it is written: where it really is, or why it cannot be used.
struct Folder {
  int error_number = 0;  ///< of stat(2) on it; ENOTDIR where it is a file
  Path real;             ///< where error_number is 0
};

/// Not to be shared between threads. Ids and references stay valid as long as it lives.
class Files {
 public:
  /// Relative paths are seen from `cwd`. The resolver must outlive it.
  Files(tree::Resolver& resolver, LoaderRules rules, std::string cwd)
      : resolver_(&resolver), rules_(std::move(rules)), cwd_(std::move(cwd)) {}

  [[nodiscard]] const LoaderRules& rules() const { return rules_; }
  [[nodiscard]] const std::string& cwd() const { return cwd_; }
  [[nodiscard]] const tree::FileTree& tree() const { return resolver_->tree(); }
  [[nodiscard]] Names& names() { return names_; }
  [[nodiscard]] const Names& names() const { return names_; }

  [[nodiscard]] Id<Opening> open(std::string_view path);
  /// A candidate whose path has been looked at: gives it an Id.
  [[nodiscard]] Id<Opening> open_as(std::string_view path, const Answer& answer);
  /// `name`, one component, in a directory.
  [[nodiscard]] Answer look(const Path& real_folder, std::string_view name);
  [[nodiscard]] const Folder& folder(std::string_view path);
  [[nodiscard]] const Opening& opening(Id<Opening> id) const { return openings_[id.index]; }
  [[nodiscard]] const KnownFile& file(Id<KnownFile> id) const { return files_[id.index]; }
  [[nodiscard]] const std::string& text(NameId id) const { return names_.text(id); }

  /// Reads the files behind these paths on all cores; what is not there is passed over.
  void prefetch(std::span<const std::string> paths);

  /// The walk from a path as the process writes it.
  [[nodiscard]] tree::Walk resolve(std::string_view path);

  /// Adds a file that was read elsewhere, once for each FileId.
  Id<KnownFile> add(ObjectFile file);

 private:
  Answer answer(const tree::Walk& walk);
  std::optional<Id<KnownFile>> known(const tree::FileId& id) const;

  tree::Resolver* resolver_;
  LoaderRules rules_;
  std::string cwd_;
  Names names_;
  std::deque<Opening> openings_;
  std::deque<KnownFile> files_;
  std::unordered_map<std::uint32_t, Id<Opening>> openings_by_path_;
  std::map<tree::FileId, Id<KnownFile>> files_by_id_;
  std::unordered_map<std::string, Answer> answers_;  // by real folder and name
  std::unordered_map<std::string, Folder> folders_;  // by path as it is written
};

/// The verdict on a path whose open(2) failed so.
[[nodiscard]] Verdict verdict_of(int error_number);

}  // namespace whyso::loader
