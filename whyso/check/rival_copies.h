// SPDX-License-Identifier: Apache-2.0
// Libraries of one name that imports take from several places, and what comes of it when they meet
// in one process: whoever is first serves all.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "whyso/check/diagnosis.h"
#include "whyso/process/prediction.h"

namespace whyso::check {

/// Under one name, the files that loads take, each with those that take it.
using TakenCopies = std::map<Id<loader::KnownFile>, std::set<NativeId>>;

/// Names that are taken from two files or more whose bytes differ: by extension modules, and by
/// libraries that no extension module maps.
[[nodiscard]] std::map<std::string, TakenCopies> rival_copies(const World& world);

/// Of families of which a process holds one major: by family, the natives that load each name.
using TakenMajors = std::map<std::string, std::set<NativeId>>;
[[nodiscard]] std::map<std::string, TakenMajors> rival_majors(const World& world);

/// The names that a user imports of the packages of these files.
[[nodiscard]] std::set<std::string> imports_of(const World& world,
                                               const std::set<NativeId>& natives);

/// Each import in a process of its own. Those that cannot be told are left out.
[[nodiscard]] std::vector<process::PredictedImport> predict_each(
    const World& world, const std::set<std::string>& names);

/// A library that asked for a name and was given what another had loaded before.
struct Preceded {
  std::string name;
  Path requirer;
  Path served;  ///< the copy that was loaded before
  Path meant;   ///< the copy that its own search finds
  std::vector<SymbolGap> gaps;
};

/// All such requests of the imported process whose two copies differ in what is needed of them.
[[nodiscard]] std::vector<Preceded> preceded_in(const World& world,
                                                const process::PredictedImport& import);

[[nodiscard]] bool are_equal_files(const World& world, Id<loader::KnownFile> a,
                                   Id<loader::KnownFile> b);

}  // namespace whyso::check
