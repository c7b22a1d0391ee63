// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/displaced.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace whyso::check {
namespace {

using loader::KnownFile;
using loader::Search;
using loader::SearchPlan;
using loader::Step;

/// One served request with what it stands for.
struct Service {
  const Search* search = nullptr;
  Id<KnownFile> by;
  Copy winner;
  Step step = Step::defaults;
};

std::optional<Copy> copy_of(const World& world, std::optional<Id<loader::Opening>> found) {
  if (!found) return std::nullopt;
  const auto& files = world.loader->files();
  const auto& opening = files.opening(*found);
  if (opening.verdict != loader::Verdict::taken || !opening.file) return std::nullopt;
  return Copy{*opening.file, files.file(*opening.file).object.real};
}

std::optional<Service> service_of(const World& world, const ServedRequest& request) {
  const Search& search = world.loader->searches().search(request.search);
  const auto winner = copy_of(world, search.found);
  if (!winner || !search.plan || !request.by) return std::nullopt;
  return Service{&search, *request.by, *winner, search.decided().step};
}

/// The copy that was meant, and the step that would find it.
struct Judgement {
  Displacer by;
  Copy meant;
  std::optional<Step> step;
};

/// What the same requirer finds where the variable is not set.
std::optional<Judgement> without_variable(const World& world, const Service& service) {
  auto& searches = world.loader->searches();
  SearchPlan plan = searches.plan(*service.search->plan);
  plan.library_path = std::nullopt;
  const auto id = searches.find(searches.plan(plan), service.search->name);
  const Search& search = searches.search(id);
  const auto copy = copy_of(world, search.found);
  if (!copy) return std::nullopt;
  return Judgement{Displacer::variable, *copy, search.decided().step};
}

/// The copy of that name in the requirer's own folder.
std::optional<Copy> beside_requirer(const World& world, const Service& service) {
  auto& files = world.loader->files();
  const Path folder = files.file(service.by).object.real.parent();
  const auto id = files.open(folder.text() + "/" + files.text(service.search->name));
  return copy_of(world, id);
}

/// The environment's copy in another folder of the variable.
std::optional<Copy> later_in_variable(const World& world, const Service& service) {
  auto& searches = world.loader->searches();
  auto& files = world.loader->files();
  const SearchPlan& plan = searches.plan(*service.search->plan);
  const auto directories = searches.list(*plan.library_path).directories;
  for (const auto directory : directories) {
    const auto id = files.open(searches.text(directory) + files.text(service.search->name));
    const auto copy = copy_of(world, id);
    const bool is_other = copy && copy->file != service.winner.file;
    if (is_other && is_in_environment(world, copy->real)) return copy;
  }
  return std::nullopt;
}

/// What LD_LIBRARY_PATH has to offer.
std::optional<Copy> in_variable(const World& world, const Service& service) {
  auto& searches = world.loader->searches();
  const SearchPlan& plan = searches.plan(*service.search->plan);
  if (!plan.library_path) return std::nullopt;
  const SearchPlan bare{.library_path = plan.library_path,
                        .requirer = plan.requirer,
                        .has_runpath = true,
                        .no_defaults = true};
  const auto id = searches.find(searches.plan(bare), service.search->name);
  const Search& search = searches.search(id);
  if (!search.found || search.decided().step != Step::ld_library_path) return std::nullopt;
  return copy_of(world, search.found);
}

const NativeObject* native_of(const World& world, Id<KnownFile> file) {
  const auto found = world.index.by_file.find(file);
  return found == world.index.by_file.end() ? nullptr : &world.natives[found->second];
}

/// Do they come from one distribution, or does the requirer's require the other's?
bool comes_with(const World& world, const NativeObject& library, const NativeObject& requirer) {
  for (const auto owner : library.owners) {
    if (std::ranges::find(requirer.owners, owner) != requirer.owners.end()) return true;
    const auto users = dependents(world.environment, world.imports->requirements(), owner);
    const bool is_required = std::ranges::any_of(
        requirer.owners, [&](auto id) { return std::ranges::find(users, id) != users.end(); });
    if (is_required) return true;
  }
  return false;
}

/// The copy that the requirer's distribution or its requirements brought.
std::optional<Copy> brought_copy(const World& world, const Service& service) {
  const auto* requirer = native_of(world, service.by);
  const auto named = world.index.by_name.find(world.loader->files().text(service.search->name));
  if (requirer == nullptr || named == world.index.by_name.end()) return std::nullopt;
  for (const auto id : named->second) {
    const NativeObject& library = world.natives[id];
    if (comes_with(world, library, *requirer)) return Copy{*library.file, library.path};
  }
  return std::nullopt;
}

std::optional<Judgement> judge(const World& world, const Service& service) {
  if (service.step == Step::ld_library_path) {
    if (auto meant = without_variable(world, service)) return meant;
    auto other = beside_requirer(world, service);
    if (!other) other = later_in_variable(world, service);
    return other ? std::optional(Judgement{Displacer::variable, *other, {}}) : std::nullopt;
  }
  if (is_in_environment(world, service.winner.real)) return std::nullopt;
  const bool is_own_path = service.step == Step::rpath || service.step == Step::runpath;
  const auto meant = brought_copy(world, service);
  if (meant) return Judgement{is_own_path ? Displacer::own_path : Displacer::system, *meant, {}};
  if (!is_own_path || native_of(world, service.by) == nullptr) return std::nullopt;
  if (const auto wanted = in_variable(world, service)) {
    return Judgement{Displacer::own_path, *wanted, Step::ld_library_path};
  }
  return std::nullopt;
}

bool have_equal_bytes(const World& world, const Copy& a, const Copy& b) {
  if (a.file == b.file || a.real == b.real) return true;
  const auto& files = world.loader->files();
  const auto& one = files.file(a.file).object.facts;
  const auto& other = files.file(b.file).object.facts;
  if (one.size != other.size) return false;
  constexpr std::uint64_t most = 64 * 1024 * 1024;
  if (one.size > most) return false;
  const auto first = world.tree->read(a.real);
  const auto second = world.tree->read(b.real);
  return first.is_present() && second.is_present() &&
         first.value().blob.text() == second.value().blob.text();
}

/// Collects what is displaced, each case once, with all modules that come to it.
class Collection {
 public:
  explicit Collection(const World& world) : world_(&world) {
    for (const auto& load : world.modules) imported_.insert(load.mapped.begin(), load.mapped.end());
  }

  void add(const ModuleLoad& load, bool is_module, bool is_opened) {
    for (const auto& request : load.served) {
      const auto service = service_of(*world_, request);
      if (!service) continue;
      const auto judgement = judge(*world_, *service);
      if (!judgement || have_equal_bytes(*world_, service->winner, judgement->meant)) continue;
      // A process that imports its package has the meant copy before it comes to this.
      if (!is_module && imported_.contains(judgement->meant.file)) continue;
      Displaced& displaced = entry(*service, *judgement, is_opened);
      if (is_module) displaced.modules.insert(world_->natives[load.module].module);
      add_gaps(load, displaced);
    }
  }

  std::vector<Displaced> take() {
    std::vector<Displaced> all;
    for (auto& [key, displaced] : found_) {
      displaced.versions =
          compare_versions(*world_->tree, displaced.winner.real, displaced.meant.real);
      displaced.is_of_family = is_of_family(displaced);
      all.push_back(std::move(displaced));
    }
    return all;
  }

 private:
  using Key = std::tuple<Displacer, std::string, Path, Path>;

  Displaced& entry(const Service& service, const Judgement& judgement, bool is_opened) {
    const auto& files = world_->loader->files();
    const std::string& name = files.text(service.search->name);
    const Path& requirer = files.file(service.by).object.real;
    auto [place, is_new] =
        found_.try_emplace(Key{judgement.by, name, service.winner.real, requirer});
    Displaced& displaced = place->second;
    if (is_new) {
      displaced.by = judgement.by;
      displaced.name = name;
      displaced.winner = service.winner;
      displaced.meant = judgement.meant;
      displaced.meant_step = judgement.step;
      displaced.requirer = requirer;
      displaced.is_opened = is_opened;
    }
    displaced.is_opened = displaced.is_opened && is_opened;
    return displaced;
  }

  /// What the winner lacks and the other copy would define.
  void add_gaps(const ModuleLoad& load, Displaced& displaced) {
    if (!displaced.gaps.empty() || !world_->python.process) return;
    const auto gaps =
        find_symbol_gaps(*world_->tree, world_->python, load, {displaced.winner.file});
    for (const auto& gap : gaps) {
      if (defines(*world_->tree, displaced.meant.real, gap)) displaced.gaps.push_back(gap);
    }
  }

  [[nodiscard]] bool is_of_family(const Displaced& displaced) const {
    const auto& knowledge = world_->knowledge;
    const auto* family = knowledge.family_of(displaced.name, FamilyRule::parts);
    const auto* other = knowledge.family_of(displaced.requirer.name(), FamilyRule::parts);
    return family != nullptr && other != nullptr && family->name == other->name;
  }

  const World* world_;
  std::set<Id<KnownFile>> imported_;
  std::map<Key, Displaced> found_;
};

}  // namespace

bool is_in_environment(const World& world, const Path& path) {
  const auto& prefix = world.environment.prefix;
  const bool is_system_prefix = prefix.is_root() || prefix.text() == "/usr";
  if (!is_system_prefix && path.is_within(prefix)) return true;
  return std::ranges::any_of(
      world.environment.search_path.directories, [&](const environment::SiteDirectory& site) {
        return site.exists && !site.real.is_root() && may_hold_distributions(site.kind) &&
               path.is_within(site.real);
      });
}

std::vector<Displaced> find_displaced(const World& world, const std::vector<Opening>& openings) {
  Collection collection(world);
  for (const auto& load : world.modules) collection.add(load, true, false);
  for (const auto& load : world.plugins) collection.add(load, false, false);
  for (const auto& opening : openings) collection.add(opening.load, false, true);
  return collection.take();
}

}  // namespace whyso::check
