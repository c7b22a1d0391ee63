// SPDX-License-Identifier: Apache-2.0
// Which distribution lists which file, and whether the file is there. Compares no bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/base/table.h"
#include "whyso/environment/distribution.h"
#include "whyso/environment/inventory.h"
#include "whyso/environment/owned_file.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

/// One row of a distribution's list.
struct Claim {
  Id<Distribution> distribution;
  std::uint32_t row = 0;  ///< in FileList::rows()

  bool operator==(const Claim&) const = default;
};

/// A hash map from paths to their owners. Paths are canonical: folders on the way are free of
/// links, so that lib64/x and lib/x are one file. The last component may be a link.
class Ownership {
 public:
  /// Existence and size of what lies below the inventory's roots are answered from it; all else by
  /// lstat, and nothing else is ever done to it, whatever a row says.
  static Ownership claim(const tree::FileTree& tree, const Table<Distribution>& distributions,
                         const Inventory& inventory, const Path& prefix);

  /// In the order of the distributions and of their rows.
  [[nodiscard]] const std::vector<OwnedFile>& files() const { return files_; }

  /// The file at a canonical path, or null where no distribution lists it.
  [[nodiscard]] const OwnedFile* find(const Path& path) const;

  [[nodiscard]] Path path(const OwnedFile& file) const;

  /// All that list it, in the order of the distributions; a row that is written twice counts twice.
  [[nodiscard]] std::span<const Claim> claims(const OwnedFile& file) const {
    return std::span(claims_).subspan(file.first_claim, file.claim_count);
  }

  /// Their distributions, each once.
  [[nodiscard]] std::vector<Id<Distribution>> owners(const OwnedFile& file) const;

  /// The file of that row.
  [[nodiscard]] const OwnedFile& file(Claim claim) const;

  /// Why a file that is `unreadable` could not be looked at.
  [[nodiscard]] Error problem(const OwnedFile& file) const;

 private:
  friend class OwnershipBuilder;

  using Arena = std::deque<std::string>;

  [[nodiscard]] std::uint32_t* slot(std::size_t hash, std::uint32_t base,
                                    std::string_view relative);
  [[nodiscard]] std::uint32_t find_index(std::size_t hash, std::uint32_t base,
                                         std::string_view relative) const;

  std::vector<Path> bases_;
  std::vector<OwnedFile> files_;
  std::vector<Claim> claims_;
  std::vector<std::vector<std::uint32_t>> files_of_rows_;  // by distribution, then by row
  std::vector<std::uint32_t> slots_;                       // index into files_ plus one, 0 is free
  std::vector<std::shared_ptr<const Arena>> arenas_;
};

/// The row as it is written, with its hash, size and line.
[[nodiscard]] const python::RecordRow& row_of(const Table<Distribution>& distributions,
                                              Claim claim);

}  // namespace whyso::environment
