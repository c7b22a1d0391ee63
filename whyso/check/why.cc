// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/why.h"

#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/file_nature.h"
#include "whyso/check/meant.h"
#include "whyso/check/mend.h"
#include "whyso/check/owner_story.h"
#include "whyso/check/search_story.h"
#include "whyso/elf/abi.h"
#include "whyso/elf/image.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using loader::Ending;
using loader::Process;
using loader::Request;

constexpr std::size_t most_stories = 6;

/// A process in which a module was opened, and a name perhaps asked for.
struct Asked {
  Process process;
  std::size_t request = 0;            ///< the first one for the name, where there is any
  std::vector<std::size_t> requests;  ///< all of them
  std::vector<Id<loader::Object>> mapped;
  NativeId module;
};

Asked ask(const World& world, NativeId module, std::string_view name) {
  Asked asked{.process = *world.python.process, .module = module};
  const std::size_t before = asked.process.requests().size();
  asked.mapped = asked.process.open({.name = world.natives[module].import_path}).mapped;
  const auto& requests = asked.process.requests();
  for (std::size_t i = before; i < requests.size(); ++i) {
    if (world.loader->files().text(requests[i].name) == name) asked.requests.push_back(i);
  }
  if (!asked.requests.empty()) asked.request = asked.requests.front();
  return asked;
}

std::string requirer_text(const World& world, const Process& process, const Request& request) {
  if (!request.by) return "the program";
  const auto& object = process.objects()[*request.by];
  const std::string path = world.loader->files().text(object.path);
  std::string text = shown_path(world, path);
  const auto walk = world.resolver->resolve(path);
  const auto native = world.index.by_path.find(walk.real);
  if (native != world.index.by_path.end()) {
    const std::string owner = owner_title(world, world.natives[native->second]);
    if (!owner.empty()) text += " (" + std::string(owner) + ")";
  }
  return text + (request.asking == loader::Asking::dlopen ? ", dlopen" : ", DT_NEEDED");
}

/// "import torch": the distribution's own name for what a module belongs to.
std::string process_text(const World& world, NativeId id) {
  const NativeObject& object = world.natives[id];
  if (object.role != Role::extension_module) return shown_path(world, object.path) + " alone";
  return "import " + object.module.substr(0, object.module.find('.'));
}

std::string path_taken(const World& world, const Asked& asked) {
  const Request& request = asked.process.requests()[asked.request];
  if (!request.object) return {};
  return world.loader->files().text(asked.process.objects()[*request.object].path);
}

void add_requirers(const World& world, const Asked& asked, LoadStory& story) {
  for (const auto index : asked.requests) {
    auto text = requirer_text(world, asked.process, asked.process.requests()[index]);
    const bool is_new = std::ranges::find(story.asked_for_by, text) == story.asked_for_by.end();
    if (is_new) story.asked_for_by.push_back(std::move(text));
  }
}

void add_others(const World& world, const Asked& asked, std::string_view name, LoadStory& story) {
  const auto copies = world.index.by_name.find(name);
  if (copies == world.index.by_name.end()) return;
  const Path taken = Path::parse(story.real_path).value_or(Path());
  for (const auto id : copies->second) {
    const NativeObject& copy = world.natives[id];
    if (copy.path == taken) continue;
    story.others.push_back(
        {.path = shown_path(world, copy.path),
         .owner = ownership_of(world, copy.path),
         .why_not = why_not_taken(world, asked.process.requests()[asked.request], copy)});
  }
}

LoadStory story_of(const World& world, const Asked& asked, std::string_view name) {
  const Request& request = asked.process.requests()[asked.request];
  LoadStory story{.name = std::string(name), .process = process_text(world, asked.module)};
  const std::string path = path_taken(world, asked);
  const auto walk = world.resolver->resolve(path);
  if (walk.is_found()) {
    story.path = shown_path(world, path);
    story.real_path = walk.real.text();
    story.owner = ownership_of(world, walk.real);
  } else {
    story.error = std::string(name) + ": cannot open shared object file: No such file or directory";
  }
  story.steps = search_story(world, asked.process, request);
  add_requirers(world, asked, story);
  add_others(world, asked, name, story);
  story.real_path = walk.is_found() ? shown_path(world, walk.real) : std::string();
  return story;
}

/// Asks modules one by one; tells one story for each different outcome, in the first process that
/// has it.
class ModuleSurvey {
 public:
  ModuleSurvey(const World& world, std::string_view name, Why& why)
      : world_(world), name_(name), why_(why) {}

  /// Modules first; where none asks for the name, what no module maps.
  void run() {
    ask_all(
        [](const NativeObject& object, NativeId) { return object.role == Role::extension_module; });
    if (!why_.loads.empty()) return;
    ask_all([this](const NativeObject& object, NativeId id) {
      const bool is_alone = object.role == Role::library && !mapped_.contains(id);
      return object.role == Role::standard_module || is_alone;
    });
  }

 private:
  template <class Choice>
  void ask_all(Choice is_asked) {
    std::vector<NativeId> chosen;
    for (std::size_t i = 0; i < world_.natives.size(); ++i) {
      const NativeId id = world_.natives.id(i);
      if (is_asked(world_.natives[id], id)) chosen.push_back(id);
    }
    for (const NativeId id : chosen) take(ask(world_, id, name_));
  }

  void take(const Asked& asked) {
    note_mapped(asked);
    if (asked.requests.empty()) return;
    const std::string path = path_taken(world_, asked);
    const auto known = by_path_.find(path);
    if (known != by_path_.end()) {
      add_requirers(world_, asked, why_.loads[known->second]);
    } else if (why_.loads.size() < most_stories) {
      by_path_.emplace(path, why_.loads.size());
      why_.loads.push_back(story_of(world_, asked, name_));
    }
  }

  void note_mapped(const Asked& asked) {
    for (const auto object : asked.mapped) {
      const auto& file = asked.process.objects()[object].file;
      const auto native = file ? world_.index.by_file.find(*file) : world_.index.by_file.end();
      if (native != world_.index.by_file.end()) mapped_.insert(native->second);
    }
  }

  const World& world_;
  std::string_view name_;
  Why& why_;
  std::map<std::string, std::size_t> by_path_;
  std::set<NativeId> mapped_;
};

std::string format_of(const World& world, const NativeObject& object) {
  const auto nature = nature_of(world, object);
  if (nature.nature != Nature::usable) return nature.words;
  return "ELF shared object for " + elf::name_of(world.loader->rules().abi);
}

/// "libc10.so -> torch/lib/libc10.so": what the module's own process finds.
std::vector<std::string> needs_of(const World& world, const NativeObject& object, NativeId id) {
  std::vector<std::string> needs;
  if (!object.file || !world.python.process) return needs;
  Process process = *world.python.process;
  (void)process.open({.name = world.natives[id].import_path});
  for (const auto& request : process.requests()) {
    const bool is_ours = request.by && request.asking == loader::Asking::needed &&
                         process.objects()[*request.by].file == object.file;
    if (!is_ours) continue;
    const std::string name = std::string(world.loader->files().text(request.name));
    const bool is_found = request.object && request.ending != Ending::missing;
    needs.push_back(name + " -> " +
                    (is_found ? shown_path(world, world.loader->files().text(
                                                      process.objects()[*request.object].path))
                              : std::string("not found")));
  }
  return needs;
}

FileStory file_story(const World& world, NativeId id) {
  const NativeObject& object = world.natives[id];
  FileStory story{.path = shown_path(world, object.path),
                  .owner = ownership_of(world, object.path),
                  .format = format_of(world, object),
                  .needs = needs_of(world, object, id)};
  if (!object.file) return story;
  const auto& file = world.loader->files().file(*object.file);
  if (file.soname) story.soname = std::string(world.loader->files().text(*file.soname));
  std::set<NativeId> needing;
  for (const auto& name : {story.soname, std::string(object.path.name())}) {
    const auto found = world.index.needing.find(name);
    if (found != world.index.needing.end()) {
      needing.insert(found->second.begin(), found->second.end());
    }
  }
  for (const auto by : needing) {
    story.needed_by.push_back(shown_path(world, world.natives[by].path));
  }
  return story;
}

bool is_asked_for(const World& world, const NativeObject& object, std::string_view query) {
  if (object.path.name() == query) return true;
  if (!query.contains('/')) return false;
  const std::string tail = "/" + std::string(query.substr(query.starts_with("./") ? 2 : 0));
  if (query.starts_with('/')) {
    const auto walk = world.resolver->resolve(query);
    return walk.is_found() && walk.real == object.path;
  }
  return object.path.text().ends_with(tail);
}

void add_files(const World& world, std::string_view query, Why& why) {
  const bool is_told = !why.loads.empty() && !query.contains('/');
  for (std::size_t i = 0; i < world.natives.size() && !is_told; ++i) {
    const NativeId id = world.natives.id(i);
    if (is_asked_for(world, world.natives[id], query)) why.files.push_back(file_story(world, id));
  }
}

std::string library_state(const World& world, Id<Distribution> owner, std::uint32_t row) {
  const auto& file = world.environment.ownership.file({owner, row});
  std::string path = shown_path(world, world.environment.ownership.path(file));
  if (file.state == environment::FileState::absent) return path + ": gone";
  const auto owners = world.environment.ownership.owners(file);
  if (owners.size() < 2) return path;
  const auto index = static_cast<std::uint32_t>(&file - world.environment.ownership.files().data());
  const auto holder = holder_by_hash(*world.tree, world.environment, index);
  return path + ": listed by " + std::to_string(owners.size()) + " packages, the bytes are " +
         (holder.is_present()  ? title_of(world, holder.value()) + "'s"
          : holder.is_absent() ? std::string("nobody's")
                               : std::string("not to be read"));
}

DistributionStory distribution_story(const World& world, Id<Distribution> id) {
  const Distribution& distribution = world.environment.distributions[id];
  DistributionStory story{.name = std::string(distribution.name),
                          .version = std::string(distribution.version),
                          .installer = std::string(distribution.installer),
                          .location = shown_path(world, distribution.metadata),
                          .requested = distribution.is_requested,
                          .files = world.listed.counts[id.index].files,
                          .missing = world.listed.counts[id.index].missing};
  const auto& requirements = world.imports->requirements();
  const auto required = requirements.find(distribution.normalized);
  if (required != requirements.end()) {
    for (const auto& by : required->second) {
      story.required_by.push_back(title_of(world, by.requirer) + ": " + std::string(by.text));
    }
  }
  const auto* files = distribution.files.find();
  for (std::uint32_t row = 0; files != nullptr && row < files->rows().size(); ++row) {
    const std::string_view path = files->rows()[row].path;
    if (is_library_name(path.substr(path.rfind('/') + 1))) {
      story.libraries.push_back(library_state(world, id, row));
    }
  }
  return story;
}

void add_guesses(const World& world, std::string_view query, Why& why) {
  if (!why.loads.empty() || !why.files.empty() || !why.distributions.empty()) return;
  why.did_you_mean = packages_imported_as(world, query);
  if (why.did_you_mean.empty()) why.did_you_mean = libraries_of_stem(world, query);
  if (!why.did_you_mean.empty()) return;
  std::vector<std::string> known;
  for (const auto& [name, natives] : world.index.by_name) known.push_back(name);
  for (const auto& [name, natives] : world.index.needing) known.push_back(name);
  for (const auto& distribution : world.environment.distributions) {
    known.push_back(distribution.name);
  }
  why.did_you_mean = closest(query, known);
}

}  // namespace

Why answer_why(const World& world, std::string_view query) {
  Why why{.query = std::string(query)};
  if (world.python.process && !query.contains('/')) ModuleSurvey(world, query, why).run();
  if (world.loader) add_files(world, query, why);
  for (const auto id : world.environment.find_distributions(query)) {
    why.distributions.push_back(distribution_story(world, id));
  }
  add_guesses(world, query, why);
  return why;
}

}  // namespace whyso::check
