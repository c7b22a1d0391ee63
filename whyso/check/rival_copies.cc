// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/rival_copies.h"

#include <algorithm>
#include <span>

namespace whyso::check {
namespace {

using loader::KnownFile;

template <class Visit>
void visit_served(const World& world, Visit visit) {
  const auto& searches = world.loader->searches();
  const auto& files = world.loader->files();
  for (const auto* loads : {&world.modules, &world.plugins}) {
    for (const auto& load : *loads) {
      for (const auto& request : load.served) {
        const auto& search = searches.search(request.search);
        if (!search.found || !search.plan) continue;
        const auto& file = files.opening(*search.found).file;
        if (file) visit(load, files.text(search.name), *file);
      }
    }
  }
}

std::vector<Id<KnownFile>> files_of(const loader::Process& process) {
  std::vector<Id<KnownFile>> files;
  for (const auto id : process.order()) {
    const auto& file = process.objects()[id].file;
    if (file) files.push_back(*file);
  }
  return files;
}

/// The file that the requirer's own search finds, whatever is loaded.
std::optional<Id<KnownFile>> own_choice(const World& world, const loader::Process& process,
                                        const loader::Request& request) {
  const auto& plan = process.objects()[*request.by].plan;
  if (!plan || world.loader->files().text(request.name).contains('/')) return std::nullopt;
  auto& searches = world.loader->searches();
  const auto& found = searches.search(searches.find(*plan, request.name)).found;
  if (!found) return std::nullopt;
  const auto& opening = world.loader->files().opening(*found);
  return opening.verdict == loader::Verdict::taken ? opening.file : std::nullopt;
}

}  // namespace

bool are_equal_files(const World& world, Id<KnownFile> a, Id<KnownFile> b) {
  if (a == b) return true;
  const auto& files = world.loader->files();
  const auto& one = files.file(a).object;
  const auto& other = files.file(b).object;
  constexpr std::uint64_t most = 64 * 1024 * 1024;
  if (one.facts.size != other.facts.size || one.facts.size > most) return false;
  const auto first = world.tree->read(one.real);
  const auto second = world.tree->read(other.real);
  return first.is_present() && second.is_present() &&
         first.value().blob.text() == second.value().blob.text();
}

std::map<std::string, TakenCopies> rival_copies(const World& world) {
  std::map<std::string, TakenCopies> names;
  visit_served(world, [&](const ModuleLoad& load, const std::string& name, Id<KnownFile> file) {
    names[name][file].insert(load.module);
  });
  std::erase_if(names, [&](const auto& entry) {
    const TakenCopies& copies = entry.second;
    return std::ranges::all_of(copies, [&](const auto& copy) {
      return are_equal_files(world, copies.begin()->first, copy.first);
    });
  });
  return names;
}

std::map<std::string, TakenMajors> rival_majors(const World& world) {
  std::map<std::string, TakenMajors> families;
  visit_served(world, [&](const ModuleLoad& load, const std::string& name, Id<KnownFile>) {
    const auto* family = world.knowledge.family_of(name, FamilyRule::one_major);
    if (family != nullptr) families[family->name][name].insert(load.module);
  });
  std::erase_if(families, [](const auto& entry) { return entry.second.size() < 2; });
  return families;
}

std::set<std::string> imports_of(const World& world, const std::set<NativeId>& natives) {
  std::set<std::string> names;
  for (const auto id : natives) {
    const NativeObject& object = world.natives[id];
    for (const auto owner : object.owners) {
      const auto& of_one = world.imports->names_of(owner);
      names.insert(of_one.begin(), of_one.end());
    }
    const bool is_module = object.role == Role::extension_module;
    if (object.owners.empty() && is_module) {
      names.insert(object.module.substr(0, object.module.find('.')));
    }
  }
  return names;
}

std::vector<process::PredictedImport> predict_each(const World& world,
                                                   const std::set<std::string>& names) {
  std::vector<process::PredictedImport> imports;
  if (!world.python.process) return imports;
  for (const auto& name : names) {
    auto made = process::predict(world.imports->graph(), *world.python.process, std::span(&name, 1),
                                 world.habits);
    if (!made.empty()) imports.push_back(std::move(made.front()));
  }
  return imports;
}

std::vector<Preceded> preceded_in(const World& world, const process::PredictedImport& import) {
  std::vector<Preceded> preceded;
  const loader::Process& process = import.process;
  const auto& requests = process.requests();
  const auto& files = world.loader->files();
  for (std::size_t i = world.python.process->requests().size(); i < requests.size(); ++i) {
    const auto& request = requests[i];
    const bool is_matched =
        request.ending == loader::Ending::matched_name && request.by && request.object;
    if (!is_matched) continue;
    const auto served = process.objects()[*request.object].file;
    const auto by = process.objects()[*request.by].file;
    const auto meant = own_choice(world, process, request);
    if (!served || !by || !meant || are_equal_files(world, *served, *meant)) continue;
    const ModuleLoad load{.module = {}, .mapped = files_of(process)};
    Preceded one{.name = files.text(request.name),
                 .requirer = files.file(*by).object.real,
                 .served = files.file(*served).object.real,
                 .meant = files.file(*meant).object.real};
    for (const auto& gap : find_symbol_gaps(*world.tree, world.python, load, {*served})) {
      const bool is_its_own = gap.requirer == one.requirer && defines(*world.tree, one.meant, gap);
      if (is_its_own) one.gaps.push_back(gap);
    }
    if (!one.gaps.empty()) preceded.push_back(std::move(one));
  }
  return preceded;
}

}  // namespace whyso::check
