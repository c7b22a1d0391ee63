// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/listing.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "whyso/check/rivalry.h"
#include "whyso/check/world.h"
#include "whyso/python/name.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using environment::FileState;
using environment::OwnedFile;

bool is_there(const OwnedFile& file) {
  return file.state == FileState::present && file.facts.kind == tree::FileKind::regular;
}

PackageState state_of(const Distribution& distribution, const ListedCount& counts) {
  const auto* files = distribution.files.find();
  if (distribution.is_editable) return PackageState::editable;
  if (files == nullptr || files->rows().empty()) return PackageState::unlisted;
  if (counts.files == 0) return PackageState::metadata_only;
  if (counts.missing == 0) return PackageState::whole;
  const bool has_no_library = counts.libraries > 0 && counts.missing_libraries == counts.libraries;
  const bool is_gutted = has_no_library || counts.missing == counts.files;
  return is_gutted ? PackageState::gutted : PackageState::incomplete;
}

std::uint64_t bytes_of_list(const World& world, Id<Distribution> id) {
  const auto* files = world.environment.distributions[id].files.find();
  std::uint64_t bytes = 0;
  for (std::uint32_t row = 0; files != nullptr && row < files->rows().size(); ++row) {
    const OwnedFile& file = world.environment.ownership.file({id, row});
    if (is_there(file)) bytes += file.facts.size;
  }
  return bytes;
}

}  // namespace

std::vector<PackageRow> list_packages(const World& world) {
  std::vector<PackageRow> rows;
  const auto& distributions = world.environment.distributions;
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    const auto id = distributions.id(i);
    const Distribution& distribution = distributions[id];
    const ListedCount& counts = world.listed.counts[i];
    rows.push_back({.name = distribution.name,
                    .version = distribution.version,
                    .installer = distribution.installer,
                    .state = state_of(distribution, counts),
                    .files = counts.files,
                    .missing = counts.missing,
                    .libraries = counts.libraries,
                    .bytes = bytes_of_list(world, id)});
  }
  std::ranges::stable_sort(rows, {}, [](const PackageRow& row) {
    return std::tuple(python::normalized_name(row.name), row.version);
  });
  return rows;
}

std::vector<LibraryRow> list_libraries(const World& world) {
  std::vector<LibraryRow> rows;
  for (const NativeObject& object : world.natives) {
    if (object.role == Role::standard_module) continue;
    LibraryRow row{.path = shown_path(world, object.path),
                   .owners = titles_of(world, object.owners),
                   .bytes = object.facts.size};
    const auto* file = object.file ? &world.loader->files().file(*object.file) : nullptr;
    if (file != nullptr && file->soname) row.soname = world.loader->files().text(*file->soname);
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, {}, &LibraryRow::path);
  return rows;
}

std::vector<ClashRow> list_clashes(const World& world) {
  std::map<std::uint32_t, const Contest*> contests;
  for (const Contest& contest : world.contests) contests.emplace(contest.file, &contest);
  std::vector<ClashRow> rows;
  const auto& ownership = world.environment.ownership;
  for (const auto index : world.listed.shared) {
    const OwnedFile& file = ownership.files()[index];
    ClashRow row{.path = shown_path(world, ownership.path(file)),
                 .owners = titles_of(world, ownership.owners(file)),
                 .is_missing = file.state == FileState::absent,
                 .bytes = is_there(file) ? file.facts.size : 0};
    const auto contest = contests.find(index);
    row.is_contested = contest != contests.end();
    const auto holder = row.is_contested ? holder_of(*contest->second) : std::nullopt;
    if (holder) row.content_of = title_of(world, *holder);
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, {}, &ClashRow::path);
  return rows;
}

}  // namespace whyso::check
