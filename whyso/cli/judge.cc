// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/judge.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/change/plan_uninstall.h"
#include "whyso/check/loads.h"
#include "whyso/check/provides.h"
#include "whyso/check/run.h"
#include "whyso/check/why.h"
#include "whyso/check/world.h"
#include "whyso/environment/choose.h"
#include "whyso/tree/directory_tree.h"

namespace whyso::cli {
namespace {

std::unexpected<Refusal> refuse(Status status, std::string message, std::string hint = "") {
  return std::unexpected(Refusal{status, std::move(message), std::move(hint)});
}

std::optional<std::string> variable(const Surroundings& around, std::string_view name) {
  const auto found = around.variables.find(name);
  return found == around.variables.end() ? std::nullopt : std::optional(found->second);
}

/// Variables of this process count only where this system is what is looked at.
environment::ProcessVariables variables_of(const Surroundings& around, const Question& question) {
  if (!question.root.empty()) return {};
  return {.virtual_env = variable(around, "VIRTUAL_ENV"),
          .conda_prefix = variable(around, "CONDA_PREFIX"),
          .path = variable(around, "PATH"),
          .home = variable(around, "HOME"),
          .python_path = variable(around, "PYTHONPATH"),
          .python_home = variable(around, "PYTHONHOME"),
          .python_user_base = variable(around, "PYTHONUSERBASE"),
          .python_no_user_site = variable(around, "PYTHONNOUSERSITE"),
          .pyenv_version = variable(around, "PYENV_VERSION"),
          .ld_library_path = variable(around, "LD_LIBRARY_PATH"),
          .ld_preload = variable(around, "LD_PRELOAD"),
          .working_folder = Path::parse(around.working_folder).value_or(Path())};
}

Judged<std::unique_ptr<tree::FileTree>> open_tree(const Question& question) {
  if (question.root.empty()) return std::make_unique<tree::DirectoryTree>();
  auto opened = tree::DirectoryTree::open(question.root);
  if (!opened) return refuse(Status::wrong_usage, opened.error().text());
  return *std::move(opened);
}

/// A world with the tree that it points to.
struct Scene {
  std::unique_ptr<tree::FileTree> tree;
  std::unique_ptr<check::World> world;
  std::string reason;
};

/// What may not be looked at is not absent.
Status status_of_failure(const tree::FileTree& tree, const std::optional<std::string>& target,
                         const environment::ProcessVariables& variables) {
  const auto path = target ? variables.working_folder.join(*target) : std::nullopt;
  if (!path) return Status::wrong_usage;
  const bool is_refused = tree.list(*path, tree::ListDetail::kinds).is_unreadable() &&
                          tree.stat(*path).is_present() &&
                          tree.stat(*path).value().kind == tree::FileKind::directory;
  return is_refused ? Status::incomplete : Status::wrong_usage;
}

Judged<environment::Choice> choose(const tree::FileTree& tree, const Question& question,
                                   const environment::ProcessVariables& variables) {
  const std::string& named = question.environment.empty() ? question.target : question.environment;
  auto target = named.empty() ? std::nullopt : std::optional(named);
  if (!target && !question.root.empty()) target = "/";
  auto choice = environment::choose_environment(tree, variables, target);
  if (!choice) return refuse(status_of_failure(tree, target, variables), choice.error().text());
  if (choice->places.size() == 1) return *std::move(choice);
  Refusal refusal{.status = Status::wrong_usage,
                  .message = target.value_or("the active environment") + " holds " +
                             counted(choice->places.size(), "environment") +
                             "; ask about each by itself:"};
  const std::string option =
      question.root.empty() ? " " : " --root " + shell_word(question.root) + " --env ";
  for (const auto& place : choice->places) {
    refusal.choices.push_back(question.asked_as + option + shell_word(place.prefix.text()));
  }
  return std::unexpected(std::move(refusal));
}

/// All but what is known of objects and loads: with the files that `query` is about, empty: with
/// all.
Judged<Scene> begin(const Question& question, const std::string& query, const Surroundings& around,
                    Stopwatch& stopwatch) {
  auto tree = open_tree(question);
  if (!tree) return std::unexpected(tree.error());
  const auto variables = variables_of(around, question);
  auto choice = choose(**tree, question, variables);
  if (!choice) return std::unexpected(choice.error());
  stopwatch.lap("choosing");
  const auto scope =
      query.empty() ? environment::FileScope() : environment::scope_of_question(**tree, query);
  auto environment =
      environment::read_environment(**tree, choice->places.front(), variables, scope);
  for (auto& problem : choice->problems) environment.problems.push_back(std::move(problem));
  stopwatch.lap("reading packages");
  auto knowledge = check::Knowledge::parse(question.sonames, "data/sonames");
  if (!knowledge) return refuse(Status::internal_error, knowledge.error().text());
  auto habits = process::Habits::parse(question.preloads, question.first_use);
  if (!habits) return refuse(Status::internal_error, habits.error().text());
  const auto families = knowledge->add_families(question.families, "data/families");
  if (!families) return refuse(Status::internal_error, families.error().text());
  Scene scene{.tree = *std::move(tree), .reason = choice->reason};
  scene.world = check::begin_world({.tree = scene.tree.get(),
                                    .environment = std::move(environment),
                                    .variables = variables,
                                    .knowledge = *std::move(knowledge),
                                    .habits = *std::move(habits)});
  stopwatch.lap("comparing lists");
  return scene;
}

/// The same with the shared objects read.
Judged<Scene> build(const Question& question, const std::string& query, const Surroundings& around,
                    Stopwatch& stopwatch) {
  auto begun = begin(question, query, around, stopwatch);
  if (!begun) return begun;
  Scene scene = *std::move(begun);
  check::add_natives(*scene.world);
  stopwatch.lap("reading objects");
  return scene;
}

void name_target(const Question& question, const Scene& scene, check::Report& report) {
  const auto& environment = scene.world->environment;
  const std::string root = question.root.empty() ? "" : "rootfs:" + question.root + " ";
  report.target = std::string(root + environment.place.named);
  report.target_path = std::string(environment.prefix.text());
  report.chosen_by = scene.reason;
}

Refusal not_installed(const environment::Environment& environment, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& distribution : environment.distributions) known.push_back(distribution.name);
  const auto close = closest(name, known);
  return {.status = Status::wrong_usage,
          .message = "`" + name + "` is not installed in " + environment.place.named,
          .hint = close.empty() ? "" : "did you mean " + join(close, " or ") + "?"};
}

/// Each once; of several of one name pip takes the first on sys.path, uv all.
Judged<check::DistributionIds> find_all(const environment::Environment& environment,
                                        const std::vector<std::string>& names,
                                        change::Installer installer) {
  check::DistributionIds ids;
  for (const auto& name : names) {
    auto found = environment.find_distributions(name);
    if (found.empty()) return std::unexpected(not_installed(environment, name));
    if (installer == change::Installer::pip) found.resize(1);
    for (const auto id : found) {
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
  }
  return ids;
}

change::Installer installer_of(std::string_view word, const check::World& world) {
  if (word == "pip") return change::Installer::pip;
  return word == "uv" ? change::Installer::uv : change::usual_installer(world);
}

}  // namespace

Judged<check::Report> judge_check(const Question& question, const Surroundings& around,
                                  Stopwatch& stopwatch) {
  auto scene = build(question, "", around, stopwatch);
  if (!scene) return std::unexpected(scene.error());
  check::add_loads(*scene->world);
  stopwatch.lap("loading");
  check::add_contents(*scene->world, question.hashing);
  stopwatch.lap("hashing");
  check::Report report = check::run_rules(*scene->world);
  name_target(question, *scene, report);
  stopwatch.lap("judging");
  return report;
}

Judged<check::Why> judge_why(const Question& question, const std::string& query,
                             const Surroundings& around, Stopwatch& stopwatch) {
  auto scene = build(question, query, around, stopwatch);
  if (!scene) return std::unexpected(scene.error());
  check::add_python(*scene->world);
  stopwatch.lap("starting Python");
  auto why = check::answer_why(*scene->world, query);
  stopwatch.lap("answering");
  return why;
}

Judged<check::Provides> judge_provides(const Question& question, const std::string& query,
                                       const Surroundings& around, Stopwatch& stopwatch) {
  auto scene = build(question, query, around, stopwatch);
  if (!scene) return std::unexpected(scene.error());
  auto provides = check::answer_provides(*scene->world, query);
  stopwatch.lap("answering");
  return provides;
}

Judged<check::Listing> judge_list(const Question& question, std::string_view kind,
                                  const Surroundings& around, Stopwatch& stopwatch) {
  auto scene = kind == "packages" ? begin(question, "", around, stopwatch)
                                  : build(question, "", around, stopwatch);
  if (!scene) return std::unexpected(scene.error());
  check::Listing listing;
  if (kind == "packages") {
    listing.packages = check::list_packages(*scene->world);
  } else if (kind == "clashes") {
    check::add_contents(*scene->world, question.hashing);
    stopwatch.lap("hashing");
    listing.clashes = check::list_clashes(*scene->world);
  } else {
    listing.libraries = check::list_libraries(*scene->world);
  }
  stopwatch.lap("listing");
  return listing;
}

Judged<check::Loads> judge_loads(const Question& question, const std::vector<std::string>& names,
                                 const Surroundings& around, Stopwatch& stopwatch) {
  auto scene = begin(question, "", around, stopwatch);
  if (!scene) return std::unexpected(scene.error());
  check::add_python(*scene->world);
  stopwatch.lap("starting Python");
  auto loads = check::answer_loads(*scene->world, names);
  stopwatch.lap("predicting");
  return loads;
}

Judged<change::Plan> judge_uninstall(const Question& question,
                                     const std::vector<std::string>& names,
                                     std::string_view installer, const Surroundings& around,
                                     Stopwatch& stopwatch) {
  auto scene = build(question, "", around, stopwatch);
  if (!scene) return std::unexpected(scene.error());
  check::add_loads(*scene->world);
  stopwatch.lap("loading");
  const auto chosen = installer_of(installer, *scene->world);
  const auto ids = find_all(scene->world->environment, names, chosen);
  if (!ids) return std::unexpected(ids.error());
  change::Plan plan = change::plan_uninstall(*scene->world, *ids, chosen);
  name_target(question, *scene, plan.report);
  stopwatch.lap("planning");
  return plan;
}

}  // namespace whyso::cli
