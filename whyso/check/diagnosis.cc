// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/diagnosis.h"

#include <algorithm>

#include "whyso/check/written_path.h"

namespace whyso::check {
namespace {

using environment::OwnedFile;
using loader::Ending;
using loader::KnownFile;
using loader::Verdict;

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// What the rules of attribution look things up in, made once.
struct Context {
  const World& world;
  std::map<std::string_view, std::uint32_t> missing_by_name;
  std::map<std::uint32_t, const Contest*> contests;
  std::map<std::string_view, std::uint32_t> present_by_name;  ///< of names that somebody misses
};

/// Listed files that are there and bear one of these names.
std::map<std::string_view, std::uint32_t> present_files(const World& world,
                                                        const std::set<std::string_view>& names) {
  std::map<std::string_view, std::uint32_t> found;
  if (names.empty()) return found;
  const auto& files = world.environment.ownership.files();
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const std::string_view name = file_name(files[i].relative);
    const bool is_there = files[i].state == environment::FileState::present;
    if (is_there && names.contains(name)) found.emplace(name, i);
  }
  return found;
}

/// What is asked for and not found, and is no file in the folders of packages.
std::set<std::string_view> absent_names(const World& world) {
  std::set<std::string_view> names;
  for (const auto* loads : {&world.modules, &world.plugins}) {
    for (const auto& load : *loads) {
      for (const auto& failed : load.failed) {
        const bool is_plain = !failed.name.contains('/');
        if (is_plain && !world.index.by_name.contains(failed.name)) names.insert(failed.name);
      }
    }
  }
  return names;
}

Context context_of(const World& world) {
  Context context{.world = world};
  const auto& files = world.environment.ownership.files();
  for (const auto index : world.listed.missing) {
    context.missing_by_name.emplace(file_name(files[index].relative), index);
  }
  for (const auto& contest : world.contests) context.contests.emplace(contest.file, &contest);
  context.present_by_name = present_files(world, absent_names(world));
  return context;
}

std::optional<NativeId> native_at(const World& world, std::string_view path) {
  const auto walk = world.resolver->resolve(path);
  if (!walk.is_found()) return std::nullopt;
  const auto native = world.index.by_path.find(walk.real);
  return native == world.index.by_path.end() ? std::nullopt : std::optional(native->second);
}

/// The last file of the environment that the search saw and did not take.
std::optional<NativeId> passed_over(const World& world, const FailedRequest& request) {
  if (!request.search) return std::nullopt;
  const auto& searches = world.loader->searches();
  const auto& search = searches.search(*request.search);
  std::optional<NativeId> found;
  for (const auto& step : search.steps) {
    for (const auto& candidate : searches.answer(step.answer).candidates) {
      const bool is_foreign = candidate.verdict == Verdict::other_class ||
                              candidate.verdict == Verdict::other_machine ||
                              candidate.verdict == Verdict::refused;
      if (!is_foreign) continue;
      if (const auto native = native_at(world, searches.path_of(candidate, search.name))) {
        found = native;
      }
    }
  }
  return found;
}

std::optional<std::uint32_t> contested_file(const Context& context,
                                            std::optional<NativeId> native) {
  if (!native) return std::nullopt;
  const auto& ownership = context.world.environment.ownership;
  const OwnedFile* file = ownership.find(context.world.natives[*native].path);
  if (file == nullptr) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(file - ownership.files().data());
  return context.contests.contains(index) ? std::optional(index) : std::nullopt;
}

/// The file that a request came to and that the loader refuses, or passes over as foreign.
std::optional<NativeId> refused_file(const World& world, const FailedRequest& request) {
  if (request.ending == Ending::refused && request.search) {
    const auto& search = world.loader->searches().search(*request.search);
    const auto& files = world.loader->files();
    if (search.found) return native_at(world, files.text(files.opening(*search.found).path));
  }
  if (auto native = passed_over(world, request)) return native;
  return request.name.contains('/') ? native_at(world, request.name) : std::nullopt;
}

Explained explain(const Context& context, const FailedRequest& request) {
  const World& world = context.world;
  Explained explained{.request = request, .requirer = native_at(world, request.requirer)};
  explained.native = refused_file(world, request);
  const bool is_refused = request.ending == Ending::refused && explained.native;
  if (is_refused) {
    explained.file = contested_file(context, explained.native);
    explained.cause = explained.file ? CauseKind::contested : CauseKind::damaged;
    return explained;
  }
  if (world.index.by_name.contains(request.name)) {
    explained.cause = CauseKind::elsewhere;
    return explained;
  }
  if (explained.native) {
    explained.cause = CauseKind::foreign;
    return explained;
  }
  const auto missing = context.missing_by_name.find(file_name(request.name));
  if (missing != context.missing_by_name.end()) {
    explained.cause = CauseKind::gutted;
    explained.file = missing->second;
    return explained;
  }
  explained.file = contested_file(context, explained.requirer);
  if (explained.file) {
    explained.cause = CauseKind::contested;
    return explained;
  }
  const auto present = context.present_by_name.find(request.name);
  if (present != context.present_by_name.end()) explained.file = present->second;
  if (explained.file || !file_in_variable(world, request.name).empty()) {
    explained.cause = CauseKind::unreached;
    return explained;
  }
  if (is_driver_library(world.knowledge, request.name)) explained.cause = CauseKind::driver;
  return explained;
}

void add_broken(Diagnosis& diagnosis, const Context& context, const std::vector<ModuleLoad>& loads,
                bool is_plugin) {
  for (const auto& load : loads) {
    if (load.failed.empty()) continue;
    Broken broken{.load = &load, .is_plugin = is_plugin};
    for (const auto& request : load.failed) broken.reasons.push_back(explain(context, request));
    diagnosis.broken.push_back(std::move(broken));
  }
}

/// Files whose bytes are not what the rest was built for: contested, changed, or nobody's beside a
/// listed file of the same name.
std::set<Id<KnownFile>> suspects_of(const Context& context) {
  const World& world = context.world;
  std::set<Id<KnownFile>> suspects;
  const auto& ownership = world.environment.ownership;
  std::set<std::uint32_t> doubtful(world.listed.resized.begin(), world.listed.resized.end());
  for (const auto& [file, contest] : context.contests) doubtful.insert(file);
  for (const auto& object : world.natives) {
    if (!object.file) continue;
    const OwnedFile* file = ownership.find(object.path);
    const auto named = world.index.by_name.find(object.path.name());
    const bool is_stray =
        file == nullptr && named != world.index.by_name.end() && named->second.size() > 1;
    const bool is_doubtful =
        file != nullptr &&
        doubtful.contains(static_cast<std::uint32_t>(file - ownership.files().data()));
    if (is_stray || is_doubtful) suspects.insert(*object.file);
  }
  return suspects;
}

void add_doubted(Diagnosis& diagnosis, const World& world,
                 const std::set<Id<KnownFile>>& suspects) {
  for (const auto& load : world.modules) {
    std::set<Id<KnownFile>> mapped_suspects;
    for (const auto file : load.mapped) {
      if (suspects.contains(file)) mapped_suspects.insert(file);
    }
    if (mapped_suspects.empty() || !load.failed.empty()) continue;
    auto gaps = find_symbol_gaps(*world.tree, world.python, load, mapped_suspects);
    if (gaps.empty()) continue;
    Diagnosis::Doubted doubted{.load = &load, .gaps = std::move(gaps)};
    for (const auto file : mapped_suspects)
      doubted.suspects.push_back(world.index.by_file.at(file));
    diagnosis.doubted.push_back(std::move(doubted));
  }
}

}  // namespace

Diagnosis diagnose(const World& world) {
  Diagnosis diagnosis;
  const Context context = context_of(world);
  add_broken(diagnosis, context, world.modules, false);
  add_broken(diagnosis, context, world.plugins, true);
  if (!world.python.process) return diagnosis;
  add_doubted(diagnosis, world, suspects_of(context));
  diagnosis.openings = open_by_name(world);
  diagnosis.displaced = find_displaced(world, diagnosis.openings);
  return diagnosis;
}

}  // namespace whyso::check
