// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/world.h"

#include <algorithm>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/elf/image.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using loader::KnownFile;

/// Where there is no Python, its place is taken by the system's: extension modules say nothing of
/// the program that loads them.
std::string program_of(const World& world) {
  const auto& interpreter = world.environment.interpreter;
  if (interpreter.executable && interpreter.real_executable) return interpreter.executable->text();
  return "/usr/bin/python3";
}

loader::Machine machine_of(const tree::FileTree& tree) {
  const auto cpuinfo = tree.read(*Path::parse("/proc/cpuinfo"));
  return loader::machine_of_cpuinfo(cpuinfo.is_present() ? cpuinfo.value().blob.text()
                                                         : std::string_view());
}

/// PT_INTERP of the program; fails where it is no program that a loader starts.
Result<std::string> loader_of(World& world, const std::string& program) {
  const auto walk = world.resolver->resolve(program);
  if (!walk.is_found()) return failure(ErrorKind::io, program, "no Python was found");
  const auto content = world.tree->read(walk.real);
  if (content.is_unreadable()) return std::unexpected(content.error());
  if (content.is_absent()) return failure(ErrorKind::io, program, "no Python was found");
  const auto image = TRY(elf::ElfImage::parse(content.value().blob, walk.real.text()));
  const auto interpreter = TRY(image.interpreter());
  if (interpreter) return std::string(*interpreter);
  return failure(ErrorKind::unsupported, program, "is a program without a loader");
}

loader::ProcessContext context_of(const World& world) {
  return {.library_path = world.variables.ld_library_path,
          .preload = world.variables.ld_preload.value_or(""),
          .cwd = world.variables.working_folder.text(),
          .failure = loader::Failure::go_on};
}

/// Sets up the loader, or says why there is none; once.
void add_loader(World& world) {
  if (world.loader || !world.loading_problem.empty()) return;
  const std::string program = program_of(world);
  const auto interpreter = loader_of(world, program);
  if (!interpreter) {
    world.loading_problem = interpreter.error().text();
    return;
  }
  auto rules = loader::read_rules(*world.resolver, *interpreter, machine_of(*world.tree));
  if (!rules.is_present()) {
    world.loading_problem =
        rules.is_absent() ? *interpreter + ": the loader of Python is gone" : rules.error().text();
    return;
  }
  world.loader = std::make_unique<loader::Loader>(*world.resolver, std::move(rules).value(),
                                                  context_of(world));
  world.python = {.program = program};
}

void index_native(World& world, NativeId id) {
  const NativeObject& object = world.natives[id];
  NativeIndex& index = world.index;
  index.by_path.emplace(object.path, id);
  if (!object.file) return;
  index.by_file.emplace(*object.file, id);
  const auto& files = world.loader->files();
  const KnownFile& file = files.file(*object.file);
  if (object.verdict != loader::Verdict::taken) return;
  index.by_name[std::string(object.path.name())].push_back(id);
  const bool has_other_name = file.soname && files.text(*file.soname) != object.path.name();
  if (has_other_name) index.by_name[files.text(*file.soname)].push_back(id);
  for (const auto& want : file.wants) {
    if (want.kind == loader::WantKind::needed) index.needing[files.text(want.name)].push_back(id);
  }
}

std::set<NativeId> mapped_by(const World& world, const std::vector<ModuleLoad>& loads) {
  std::set<NativeId> mapped;
  for (const auto& load : loads) {
    for (const auto file : load.mapped) {
      const auto native = world.index.by_file.find(file);
      if (native != world.index.by_file.end()) mapped.insert(native->second);
    }
  }
  return mapped;
}

/// Files that others ask for by name: their owner must be proven.
std::set<std::uint32_t> needed_files(const World& world) {
  std::set<std::uint32_t> needed;
  for (const auto index : world.listed.shared) {
    const auto& file = world.environment.ownership.files()[index];
    if (world.index.needing.contains(file.name())) needed.insert(index);
  }
  return needed;
}

}  // namespace

std::unique_ptr<World> begin_world(WorldRequest request) {
  auto world = std::make_unique<World>();
  world->tree = request.tree;
  world->environment = std::move(request.environment);
  world->variables = std::move(request.variables);
  world->knowledge = std::move(request.knowledge);
  world->habits = std::move(request.habits);
  world->resolver = std::make_unique<tree::Resolver>(*world->tree);
  world->installers =
      environment::read_installer_facts(*world->tree, world->environment, world->variables);
  world->listed = read_listed(world->environment);
  world->imports = std::make_unique<Imports>(*world->tree, world->environment);
  return world;
}

void add_python(World& world) {
  add_loader(world);
  if (!world.loader) return;
  world.python = start_python(*world.loader, world.python.program);
  if (!world.python.process) world.loading_problem = world.python.error;
}

void add_natives(World& world) {
  add_loader(world);
  if (!world.loader) return;
  world.natives = read_natives(*world.tree, world.environment, world.loader->files());
  for (std::size_t i = 0; i < world.natives.size(); ++i) index_native(world, world.natives.id(i));
}

void add_loads(World& world) {
  if (!world.python.process) add_python(world);
  if (!world.python.process) return;
  world.modules = load_all(world.python, world.natives, Role::extension_module);
  const auto mapped = mapped_by(world, world.modules);
  for (std::size_t i = 0; i < world.natives.size(); ++i) {
    const NativeId id = world.natives.id(i);
    const Role role = world.natives[id].role;
    const bool is_plugin =
        role == Role::standard_module || (role == Role::library && !mapped.contains(id));
    if (is_plugin) world.plugins.push_back(load_one(world.python, world.natives[id], id));
  }
}

void add_contents(World& world, Hashing hashing) {
  world.contests = find_contests(*world.tree, world.environment, world.listed,
                                 {.is_allowed = hashing != Hashing::none,
                                  .is_full = hashing == Hashing::full,
                                  .surely = needed_files(world)});
  if (hashing == Hashing::none) return;
  const auto& environment = world.environment;
  if (hashing == Hashing::full) {
    world.compared = compare_contents(*world.tree, environment, all_present(environment));
    return;
  }
  LaterFiles later = written_later(environment);
  world.compared = compare_contents(*world.tree, environment, std::move(later.files));
  world.not_compared = std::move(later.left_out);
}

std::string shown_path(const World& world, const Path& path) {
  const environment::SiteDirectory* best = nullptr;
  for (const auto& site : world.environment.search_path.directories) {
    const bool holds = site.exists && !site.real.is_root() && path != site.real &&
                       path.is_within(site.real) && may_hold_distributions(site.kind);
    const bool is_deeper =
        holds && (best == nullptr || site.real.text().size() > best->real.text().size());
    if (is_deeper) best = &site;
  }
  if (best != nullptr) return std::string(path.within(best->real));
  const Path& prefix = world.environment.prefix;
  const bool is_below =
      !prefix.is_root() && prefix.text() != "/usr" && path != prefix && path.is_within(prefix);
  return std::string(is_below ? path.within(prefix) : path.text());
}

std::string shown_path(const World& world, std::string_view text) {
  const auto walk = world.resolver->resolve(text);
  if (walk.is_found()) return shown_path(world, walk.real);
  const auto path = Path::parse(text);
  return path ? shown_path(world, *path) : std::string(text);
}

std::string title_of(const World& world, Id<environment::Distribution> distribution) {
  return std::string(world.environment.distributions[distribution].title());
}

std::vector<std::string> titles_of(const World& world, const DistributionIds& distributions) {
  std::vector<std::string> titles;
  for (const auto id : distributions) titles.push_back(title_of(world, id));
  return titles;
}

std::string owner_title(const World& world, const NativeObject& object) {
  return object.owners.empty() ? std::string()
                               : world.environment.distributions[object.owners.front()].title();
}

std::vector<std::vector<Id<Distribution>>> duplicates(const World& world) {
  std::map<std::pair<std::string, Path>, std::vector<Id<Distribution>>> by_name;
  const auto& distributions = world.environment.distributions;
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    const auto id = distributions.id(i);
    const Distribution& distribution = distributions[id];
    if (distribution.kind == environment::DistributionKind::conda) continue;
    by_name[{distribution.normalized, distribution.site}].push_back(id);
  }
  std::vector<std::vector<Id<Distribution>>> groups;
  for (auto& [name, ids] : by_name) {
    const auto& version = distributions[ids.front()].version;
    const bool differ = std::ranges::any_of(
        ids, [&](Id<Distribution> id) { return distributions[id].version != version; });
    if (differ) groups.push_back(std::move(ids));
  }
  return groups;
}

}  // namespace whyso::check
