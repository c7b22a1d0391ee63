// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/loads.h"

#include <map>
#include <set>
#include <span>
#include <utility>

#include "whyso/environment/system_packages.h"
#include "whyso/process/environment_path.h"
#include "whyso/process/prediction.h"

namespace whyso::check {
namespace {

using process::How;
using process::Likelihood;
using process::PredictedImport;
using process::When;

std::string word_of(How how) {
  if (how == How::needed) return "needed";
  if (how == How::dlopen) return "dlopen";
  return how == How::ctypes ? "ctypes" : "extension";
}

std::string word_of(When when) {
  if (when == When::import) return "import";
  return when == When::first_use ? "first-use" : "optional";
}

std::string word_of(Likelihood likelihood) {
  if (likelihood == Likelihood::certain) return "certain";
  return likelihood == Likelihood::conditional ? "conditional" : "possible";
}

/// The file behind a path as the loader spells it.
Path real_of(const World& world, const std::string& text) {
  const auto walk = world.resolver->resolve(text);
  return walk.is_found() ? walk.real : Path::parse(text).value_or(Path());
}

/// Owners of paths as the loader spells them.
class Owners {
 public:
  Owners(const World& world, const std::vector<PredictedImport>& imports) : world_(world) {
    std::set<std::string> paths;
    for (const auto& import : imports) {
      for (const auto& load : import.loads) paths.insert(load.path);
    }
    std::vector<std::string> unowned;
    for (const auto& path : paths) {
      titles_[path] = owner_of(path);
      if (titles_[path].empty()) unowned.push_back(path);
    }
    ask_system(unowned);
  }

  [[nodiscard]] const std::string& of(const std::string& path) const { return titles_.at(path); }

 private:
  [[nodiscard]] std::string owner_of(const std::string& path) const {
    const auto& ownership = world_.environment.ownership;
    const auto* file = ownership.find(real_of(world_, path));
    if (file == nullptr) return {};
    const auto owners = ownership.owners(*file);
    return owners.empty() ? std::string() : title_of(world_, owners.front());
  }

  void ask_system(const std::vector<std::string>& paths) {
    if (paths.empty()) return;
    std::vector<Path> real;
    for (const auto& path : paths) real.push_back(real_of(world_, path));
    const auto found = environment::find_system_packages(*world_.tree, real);
    if (!found.is_present()) return;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const auto& packages = found.value()[i];
      if (!packages.empty()) titles_[paths[i]] = packages.front().title();
    }
  }

  const World& world_;
  std::map<std::string, std::string> titles_;
};

/// "FILE:LINE" with the file shortened.
std::string shown_place(const World& world, const std::string& by) {
  const auto colon = by.rfind(':');
  if (colon == std::string::npos || by.find('/', colon) != std::string::npos) {
    return by.starts_with('/') ? shown_path(world, by) : by;
  }
  const std::string file = by.substr(0, colon);
  return (file.starts_with('/') ? shown_path(world, file) : file) + by.substr(colon);
}

ImportLoads answer_of(const World& world, const PredictedImport& import, const Owners& owners) {
  ImportLoads answer{
      .name = import.name, .is_ok = import.is_ok, .error = import.error, .unknown = import.unknown};
  for (const auto& load : import.loads) {
    answer.loads.push_back({.path = load.path,
                            .shown = shown_path(world, load.path),
                            .owner = owners.of(load.path),
                            .by = load.by,
                            .shown_by = shown_place(world, load.by),
                            .how = word_of(load.how),
                            .when = word_of(load.when),
                            .certainty = word_of(load.likelihood)});
  }
  for (const auto& failure : import.failures) {
    answer.failures.push_back({.name = failure.name,
                               .shown_by = shown_place(world, failure.by),
                               .error = failure.error,
                               .is_handled = failure.is_handled || import.is_ok});
  }
  return answer;
}

/// What a user can import of the environment.
std::set<std::string> all_names(const World& world) {
  std::set<std::string> names;
  const auto& distributions = world.environment.distributions;
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    const auto& of_one = world.imports->names_of(distributions.id(i));
    names.insert(of_one.begin(), of_one.end());
  }
  return names;
}

std::vector<PredictedImport> predict(World& world, const std::vector<std::string>& names) {
  auto& graph = world.imports->graph();
  if (!names.empty()) return process::predict(graph, *world.python.process, names, world.habits);
  std::vector<PredictedImport> imports;
  for (const auto& name : all_names(world)) {
    auto made = process::predict(graph, *world.python.process, std::span(&name, 1), world.habits);
    imports.push_back(std::move(made.front()));
  }
  return imports;
}

}  // namespace

Loads answer_loads(World& world, const std::vector<std::string>& names) {
  Loads answer{.problem = world.loading_problem};
  if (!world.python.process) return answer;
  const auto imports = predict(world, names);
  const Owners owners(world, imports);
  for (const auto& import : imports) answer.imports.push_back(answer_of(world, import, owners));
  return answer;
}

}  // namespace whyso::check
