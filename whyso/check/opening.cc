// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/opening.h"

#include <algorithm>
#include <map>

#include "whyso/base/text.h"
#include "whyso/check/opened_name.h"

namespace whyso::check {
namespace {

using loader::KnownFile;
using loader::Object;

/// What is read without a reason, and with one: something that is named may be within reach.
constexpr std::uint64_t largest_unasked = 8 * 1024 * 1024;
constexpr std::uint64_t largest_file = 64 * 1024 * 1024;
constexpr std::size_t most_names = 64;

/// A process that has loaded a file, and the object that the file is in it.
struct Host {
  const ModuleLoad* load = nullptr;
  std::optional<loader::Process> process;
  std::optional<Id<Object>> caller;
};

std::map<Id<KnownFile>, const ModuleLoad*> hosts_of(const World& world) {
  std::map<Id<KnownFile>, const ModuleLoad*> hosts;
  for (const auto* loads : {&world.modules, &world.plugins}) {
    for (const auto& load : *loads) {
      if (!load.error.empty()) continue;
      for (const auto file : load.mapped) hosts.emplace(file, &load);
    }
  }
  return hosts;
}

Host host_of(const World& world, const ModuleLoad& load, Id<KnownFile> file) {
  Host host{.load = &load, .process = world.python.process};
  const auto outcome = host.process->open({.name = world.natives[load.module].import_path});
  for (const auto mapped : outcome.mapped) {
    if (host.process->objects()[mapped].file == file) host.caller = mapped;
  }
  return host;
}

void add_failures(const loader::Process& process, std::size_t first, ModuleLoad& load) {
  const auto& files = process.loader().files();
  for (std::size_t i = first; i < process.requests().size(); ++i) {
    const auto& request = process.requests()[i];
    const bool has_failed =
        request.ending == loader::Ending::missing || request.ending == loader::Ending::refused;
    if (!has_failed) continue;
    FailedRequest failed{
        .name = files.text(request.name), .ending = request.ending, .search = request.search};
    if (request.by) failed.requirer = files.text(process.objects()[*request.by].path);
    load.failed.push_back(std::move(failed));
  }
}

Opening open_one(const Host& host, Opening opening) {
  loader::Process process = *host.process;
  const std::size_t before = process.requests().size();
  const auto outcome = process.open({.name = opening.name, .caller = host.caller});
  opening.load.module = host.load->module;
  if (outcome.error) opening.load.error = outcome.error->text(loader::Speaker::dlopen);
  opening.load.mapped = host.load->mapped;
  for (const auto mapped : outcome.mapped) {
    const auto& file = process.objects()[mapped].file;
    if (file) opening.load.mapped.push_back(*file);
  }
  opening.load.served = served_requests(process, before);
  add_failures(process, before, opening.load);
  return opening;
}

/// Which openers and names are worth asking for.
class Interest {
 public:
  explicit Interest(const World& world) : world_(&world) {
    const auto& variables = world.variables;
    reachable_ = libraries_in_list(world, variables.ld_library_path.value_or(""));
    reachable_.merge(libraries_in_list(world, variables.path.value_or("")));
  }

  /// The names of that file to be opened; none where it is of no interest.
  [[nodiscard]] std::vector<std::string> names_of(const Path& path, bool is_native) const {
    const auto* family = family_of(path.name());
    if (family == nullptr && (reachable_.empty() || !is_native)) return {};
    auto names =
        opened_names(*world_->tree, path, reachable_.empty() ? largest_unasked : largest_file);
    if (names.size() > most_names) names.resize(most_names);
    const bool is_within_reach = std::ranges::any_of(
        names, [&](const std::string& name) { return reachable_.contains(name); });
    if (is_within_reach) return names;
    std::erase_if(names, [&](const std::string& name) {
      return family == nullptr || family_of(name) == nullptr ||
             family_of(name)->name != family->name;
    });
    return names;
  }

 private:
  [[nodiscard]] const LibraryFamily* family_of(std::string_view name) const {
    return world_->knowledge.family_of(name, FamilyRule::parts);
  }

  const World* world_;
  std::set<std::string> reachable_;
};

}  // namespace

std::set<std::string> libraries_in_list(const World& world, std::string_view list) {
  std::set<std::string> names;
  for (const auto folder : split(list, ':')) {
    if (!folder.starts_with('/')) continue;
    const auto walk = world.resolver->resolve(folder);
    if (!walk.is_found()) continue;
    const auto entries = world.tree->list(walk.real, tree::ListDetail::kinds);
    if (!entries.is_present()) continue;
    for (const auto& entry : entries.value()) {
      if (is_library_name(entry.name)) names.insert(entry.name);
    }
  }
  return names;
}

std::vector<Opening> open_by_name(const World& world) {
  std::vector<Opening> openings;
  if (!world.python.process) return openings;
  const Interest interest(world);
  const auto& files = world.loader->files();
  for (const auto& [file, load] : hosts_of(world)) {
    const Path& path = files.file(file).object.real;
    const auto native = world.index.by_file.find(file);
    const bool is_native = native != world.index.by_file.end();
    const auto names = interest.names_of(path, is_native);
    if (names.empty()) continue;
    const Host host = host_of(world, *load, file);
    if (!host.caller) continue;
    for (const auto& name : names) {
      if (host.process->find(world.loader->files().names().intern(name))) continue;
      Opening opening{.opener = path, .name = name};
      if (is_native) opening.native = native->second;
      openings.push_back(open_one(host, std::move(opening)));
    }
  }
  std::ranges::sort(openings, {},
                    [](const Opening& opening) { return std::pair(opening.opener, opening.name); });
  return openings;
}

}  // namespace whyso::check
