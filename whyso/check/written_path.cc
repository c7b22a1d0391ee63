// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/written_path.h"

#include <vector>

#include "whyso/base/text.h"

namespace whyso::check {

std::vector<std::string> library_path_entries(const World& world) {
  std::vector<std::string> entries;
  if (!world.variables.ld_library_path) return entries;
  for (const auto entry : split(*world.variables.ld_library_path, ':')) {
    if (entry.starts_with('/')) entries.emplace_back(entry);
  }
  return entries;
}

std::string file_in_variable(const World& world, std::string_view name) {
  for (const auto& entry : library_path_entries(world)) {
    if (std::string_view(entry).substr(entry.rfind('/') + 1) != name) continue;
    const auto path = Path::parse(entry);
    const auto facts = path ? world.tree->stat(*path) : Lookup<tree::FileFacts>(Absent());
    if (facts.is_present() && facts.value().kind != tree::FileKind::directory) {
      return entry;
    }
  }
  return {};
}

std::string dead_paths_text(const World& world, NativeId requirer) {
  const NativeObject& object = world.natives[requirer];
  if (!object.file) return {};
  const auto& dynamic = world.loader->files().file(*object.file).object.dynamic;
  const auto& list = dynamic.runpath ? dynamic.runpath : dynamic.rpath;
  if (!list) return {};
  std::vector<std::string> dead;
  for (const auto folder : split(*list, ':')) {
    if (folder.starts_with('/') && !world.resolver->resolve(folder).is_found()) {
      dead.emplace_back(folder);
    }
  }
  if (dead.empty()) return {};
  return std::string(dynamic.runpath ? "its RUNPATH" : "its RPATH") + " names " +
         enumerated(dead, 3) + ", which " + (dead.size() == 1 ? "is" : "are") +
         " not here: folders of the machine it was built on";
}

}  // namespace whyso::check
