// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/ownership.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "whyso/base/check.h"
#include "whyso/base/parallel.h"
#include "whyso/environment/row_placer.h"

namespace whyso::environment {

namespace {

std::vector<Path> bases_of(const Inventory& inventory, const Path& prefix) {
  std::vector<Path> bases = {Path()};
  if (!prefix.is_root()) bases.push_back(prefix);
  for (const Path& root : inventory.roots()) {
    if (std::ranges::find(bases, root) == bases.end()) bases.push_back(root);
  }
  return bases;
}

}  // namespace

/// Places rows in parallel, then joins them in order: the outcome does not depend on threads.
class OwnershipBuilder {
 public:
  OwnershipBuilder(const tree::FileTree& tree, const Table<Distribution>& distributions,
                   const Inventory& inventory, const Path& prefix)
      : distributions_(distributions), placed_(distributions.size()) {
    result_.bases_ = bases_of(inventory, prefix);
    result_.arenas_.resize(distributions.size());
    place({tree, inventory, result_.bases_, prefix});
  }

  Ownership build() {
    std::size_t rows = 0;
    for (const auto& list : placed_) rows += list.size();
    result_.slots_.assign(std::bit_ceil(std::max<std::size_t>(16, 2 * rows)), 0);
    result_.files_.reserve(rows);
    result_.files_of_rows_.resize(placed_.size());
    for (std::size_t d = 0; d < placed_.size(); ++d) join(d);
    add_claims(rows);
    return std::move(result_);
  }

 private:
  void place(const RowPlacer::Surroundings& around) {
    std::vector<std::size_t> order(distributions_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [this](std::size_t d) {
      const auto* list = list_of(d);
      return list == nullptr ? 0 : list->rows().size();
    });
    for_each_index(order.size(), [&](std::size_t i) { place_list(around, order[i]); });
  }

  void place_list(const RowPlacer::Surroundings& around, std::size_t d) {
    const FileList* list = list_of(d);
    if (list == nullptr) return;
    RowPlacer placer(around, list->base());
    placed_[d].reserve(list->rows().size());
    for (const auto& row : list->rows()) placed_[d].push_back(placer.place(row.path));
    result_.arenas_[d] = placer.arena();
  }

  [[nodiscard]] const FileList* list_of(std::size_t d) const {
    return distributions_[distributions_.id(d)].files.find();
  }

  void join(std::size_t d) {
    result_.files_of_rows_[d].reserve(placed_[d].size());
    for (const PlacedRow& row : placed_[d]) {
      std::uint32_t& slot = *result_.slot(row.hash, row.base, row.relative);
      if (slot == 0) {
        result_.files_.push_back({.state = row.state,
                                  .is_outside = row.is_outside,
                                  .base = row.base,
                                  .hash = row.hash,
                                  .relative = row.relative,
                                  .facts = row.facts});
        slot = static_cast<std::uint32_t>(result_.files_.size());
      }
      ++result_.files_[slot - 1].claim_count;
      result_.files_of_rows_[d].push_back(slot - 1);
    }
    placed_[d] = {};
  }

  void add_claims(std::size_t rows) {
    std::uint32_t first = 0;
    for (OwnedFile& file : result_.files_) {
      file.first_claim = std::exchange(first, first + file.claim_count);
    }
    result_.claims_.resize(rows);
    std::vector<std::uint32_t> filled(result_.files_.size(), 0);
    for (std::size_t d = 0; d < placed_.size(); ++d) {
      const auto& files = result_.files_of_rows_[d];
      for (std::uint32_t row = 0; row < files.size(); ++row) {
        const std::uint32_t index = files[row];
        result_.claims_[result_.files_[index].first_claim + filled[index]++] = {
            distributions_.id(d), row};
      }
    }
  }

  const Table<Distribution>& distributions_;
  std::vector<std::vector<PlacedRow>> placed_;
  Ownership result_;
};

Ownership Ownership::claim(const tree::FileTree& tree, const Table<Distribution>& distributions,
                           const Inventory& inventory, const Path& prefix) {
  return OwnershipBuilder(tree, distributions, inventory, prefix).build();
}

std::uint32_t* Ownership::slot(std::size_t hash, std::uint32_t base, std::string_view relative) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) return &slots_[at];
    const OwnedFile& file = files_[slots_[at] - 1];
    if (file.hash == hash && file.base == base && file.relative == relative) return &slots_[at];
  }
}

const OwnedFile* Ownership::find(const Path& path) const {
  if (slots_.empty()) return nullptr;
  const SplitPath split = split_path(bases_, path);
  const std::size_t hash = path_hash(split.base, split.relative);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at] != 0; at = (at + 1) & mask) {
    const OwnedFile& file = files_[slots_[at] - 1];
    const bool is_same = file.hash == hash && file.base == split.base;
    if (is_same && file.relative == split.relative) return &file;
  }
  return nullptr;
}

Path Ownership::path(const OwnedFile& file) const {
  return bases_[file.base].join(file.relative).value_or(Path());
}

std::vector<Id<Distribution>> Ownership::owners(const OwnedFile& file) const {
  std::vector<Id<Distribution>> owners;
  for (const Claim& one : claims(file)) {
    if (owners.empty() || owners.back() != one.distribution) owners.push_back(one.distribution);
  }
  return owners;
}

const OwnedFile& Ownership::file(Claim claim) const {
  WHYSO_CHECK(claim.distribution.index < files_of_rows_.size());
  const auto& rows = files_of_rows_[claim.distribution.index];
  WHYSO_CHECK(claim.row < rows.size());
  return files_[rows[claim.row]];
}

Error Ownership::problem(const OwnedFile& file) const {
  return {ErrorKind::not_permitted, path(file).text(), "the file could not be looked at"};
}

const python::RecordRow& row_of(const Table<Distribution>& distributions, Claim claim) {
  const FileList* list = distributions[claim.distribution].files.find();
  WHYSO_CHECK(list != nullptr && claim.row < list->rows().size());
  return list->rows()[claim.row];
}

}  // namespace whyso::environment
