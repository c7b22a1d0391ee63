// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/ld_account.h"

#include <array>
#include <optional>
#include <utility>

#include "whyso/loader/account.h"
#include "whyso/loader/load.h"

namespace whyso::cli {
namespace {

using json::Array;
using json::Object;
using json::Value;
using ObjectId = Id<loader::Object>;

constexpr int exit_not_loaded = 127;
constexpr int exit_missing_version = 1;
constexpr int exit_bus_error = -7;

Value text_or_null(const std::optional<std::string>& text) { return text ? Value(*text) : Value(); }

std::string_view name_of(loader::Asking asking) {
  constexpr std::array<std::string_view, 7> names{"program", "preload", "needed", "auxiliary",
                                                  "filter",  "dlopen",  "audit"};
  return names.at(static_cast<std::size_t>(asking));
}

std::string_view name_of(loader::Ending ending) {
  switch (ending) {
    case loader::Ending::matched_name:
      return "matched-name";
    case loader::Ending::matched_file:
      return "matched-file";
    case loader::Ending::mapped:
      return "mapped";
    case loader::Ending::missing:
      return "missing";
    case loader::Ending::refused:
      return "refused";
    case loader::Ending::not_loaded:
      return "not-loaded";
  }
  return {};
}

/// FLAGS:NAME; a text whose part before the colon is no set of flags is a name.
loader::OpenRequest parse_open(std::string_view text, std::optional<ObjectId> caller) {
  const auto colon = text.find(':');
  const std::string_view flags = text.substr(0, colon == std::string_view::npos ? 0 : colon);
  const bool are_flags =
      !flags.empty() && flags.find_first_not_of("nlgdobv") == std::string_view::npos;
  if (!are_flags) return {.name = std::string(text)};
  return {.name = std::string(text.substr(colon + 1)),
          .flags = {.now = flags.contains('n'),
                    .lazy = flags.contains('l'),
                    .global = flags.contains('g'),
                    .no_delete = flags.contains('d'),
                    .no_load = flags.contains('o'),
                    .deep_bind = flags.contains('b')},

          .caller = flags.contains('v') ? caller : std::nullopt};
}

/// One process with the means to tell of it.
class Story {
 public:
  Story(tree::Resolver& resolver, loader::Launch launch)
      : program_(launch.program),
        loader_(resolver, std::move(launch.rules), std::move(launch.context)),
        process_(loader_) {}

  LdAnswer tell(const std::vector<std::string>& opens) {
    const loader::Outcome started = process_.start(program_);
    const bool goes_on = loader_.context().failure == loader::Failure::go_on;
    if (started.error && !goes_on) {
      fail(*started.error);
    } else {
      for (const std::string& open : opens) {
        if (!has_ended_) tell_open(open);
      }
    }
    answer_["objects"] = objects();
    tell_failures();
    answer_["searches"] = searches();
    answer_["loaded"] = loaded(started.error && !goes_on);
    answer_["warnings"] = Array(process_.warnings().begin(), process_.warnings().end());
    answer_["opens"] = std::move(opens_);
    answer_["error"] = text_or_null(error_);
    answer_["exit"] = exit_;
    const bool is_good = exit_ == Value(0) && failures_.empty();
    return {.json = std::move(answer_), .text = std::move(text_), .is_good = is_good};
  }

 private:
  const std::string& text_of(loader::NameId name) const { return loader_.files().text(name); }

  /// A version that is missing is told by the warnings alone.
  void fail(const loader::LoadError& error) {
    crashed_ = error.is_crash;
    exit_ = error.is_crash ? exit_bus_error : exit_not_loaded;
    if (error.is_crash) return;
    const std::string text = error.text(loader::Speaker::program_start);
    switch (error.stage) {
      case loader::Stage::mapping:
        error_ = process_.program_name() + ": error while loading shared libraries: " + text;
        break;
      case loader::Stage::versions:
        exit_ = exit_missing_version;
        break;
      case loader::Stage::cpu:
      case loader::Stage::assertion:
        error_ = text;
        break;
    }
  }

  void tell_close(const std::string& request) {
    Array removed;
    if (!handles_.empty()) {
      for (const ObjectId id : process_.close(handles_.back())) {
        removed.push_back(text_of(process_.objects()[id].path));
      }
      handles_.pop_back();
    }
    opens_.push_back(Object{{"request", request}, {"error", nullptr}, {"removed", removed}});
  }

  void tell_open(const std::string& open) {
    if (open == "c:") return tell_close(open);
    const auto caller = handles_.empty() ? std::nullopt : std::optional(handles_.back());
    const auto request = parse_open(open, caller);
    const loader::Outcome outcome = process_.open(request);
    if (outcome.root) handles_.push_back(*outcome.root);
    Object told{{"request", open}, {"error", nullptr}};
    if (outcome.error) told["error"] = outcome.error->text(loader::Speaker::dlopen);
    if (outcome.error && outcome.error->ends_process()) {
      told["error"] = nullptr;
      has_ended_ = true;
      fail(*outcome.error);
    }
    Array added;
    for (const ObjectId id : outcome.mapped) {
      if (!process_.objects()[id].is_unmapped) added.push_back(pair(id));
    }
    told["added"] = std::move(added);
    const std::string* text = told["error"].find_text();
    if (text != nullptr) failures_ += "dlopen " + request.name + ": " + *text + "\n";
    opens_.push_back(std::move(told));
  }

  Value pair(ObjectId id) const {
    const loader::Object& object = process_.objects()[id];
    return Array{text_of(object.requested), text_of(object.path)};
  }

  /// As ldd lists them; ld.so is not among what is left of a start that failed.
  Array loaded(bool has_failed) const {
    Array pairs;
    for (const ObjectId id : process_.order()) {
      const loader::ObjectKind kind = process_.objects()[id].kind;
      const bool is_listed = kind == loader::ObjectKind::library ||
                             (kind == loader::ObjectKind::loader && !has_failed);
      if (is_listed) pairs.push_back(pair(id));
    }
    return pairs;
  }

  Array objects() {
    Array told;
    loader::Narrator narrator(process_);
    for (const loader::Request& request : process_.requests()) {
      const loader::Account account = narrator.tell(request);
      if (request.ending != loader::Ending::mapped) continue;
      const loader::Object& object = process_.objects()[*request.object];
      Object one{{"name", account.name},
                 {"path", text_of(object.path)},
                 {"by", account.by},
                 {"step", text_or_null(account.via)},
                 {"candidates", candidates(*request.search)}};
      if (object.is_unmapped) one["unmapped"] = true;
      text_ += "  " + account.name + " => " + text_of(object.path);
      if (account.via) text_ += " (" + *account.via + ")";
      text_ += object.is_unmapped ? ", unmapped again\n" : "\n";
      told.push_back(std::move(one));
    }
    return told;
  }

  void tell_failures() {
    for (const std::string& warning : process_.warnings()) text_ += warning + "\n";
    if (error_) text_ += *error_ + "\n";
    if (crashed_) text_ += "the process dies of SIGBUS: a file is cut short\n";
    text_ += failures_;
  }

  Array candidates(Id<loader::Search> id) const {
    Array told;
    const loader::Searches& searches = loader_.searches();
    const loader::Search& search = searches.search(id);
    for (const loader::SearchedStep& step : search.steps) {
      for (const loader::Candidate& candidate : searches.answer(step.answer).candidates) {
        told.push_back(Object{{"path", searches.path_of(candidate, search.name)},
                              {"verdict", loader::words_of(candidate.verdict)}});
      }
    }
    return told;
  }

  Array searches() const {
    Array told;
    loader::Narrator narrator(process_);
    for (const loader::Request& request : process_.requests()) {
      const loader::Account account = narrator.tell(request);
      const bool is_refused = request.ending == loader::Ending::refused;
      if (!request.search && !is_refused) continue;
      Object one{{"name", account.name},
                 {"by", account.by},
                 {"asking", name_of(request.asking)},
                 {"ending", name_of(request.ending)},
                 {"step", text_or_null(account.via)},
                 {"path", text_or_null(account.got)},
                 {"tried", Array(account.tried.begin(), account.tried.end())}};
      if (request.ending == loader::Ending::matched_file) {
        one["same_file_as"] = text_of(process_.objects()[*request.object].path);
      }
      told.push_back(std::move(one));
    }
    return told;
  }

  std::string program_;
  loader::Loader loader_;
  loader::Process process_;
  std::vector<ObjectId> handles_;  // what was opened and not closed
  Object answer_;
  Array opens_;
  std::string text_;
  std::string failures_;
  std::optional<std::string> error_;
  Value exit_ = 0;
  bool crashed_ = false;
  bool has_ended_ = false;
};

LdAnswer nothing_loaded(const std::optional<loader::LoadError>& error) {
  Object answer{
      {"objects", Array()}, {"searches", Array()}, {"loaded", Array()}, {"warnings", Array()},
      {"opens", Array()},   {"error", nullptr},    {"exit", 0}};
  std::string text;
  if (error) {
    text = error->text(loader::Speaker::dlopen) + "\n";
    answer["error"] = error->text(loader::Speaker::dlopen);
    answer["exit"] = nullptr;
  }
  return {.json = std::move(answer), .text = text, .is_good = !error};
}

}  // namespace

Result<LdAnswer> answer_ld(tree::Resolver& resolver, const LdQuestion& question,
                           const loader::Machine& machine) {
  auto launch = TRY(loader::prepare(resolver, question.command, machine));
  if (launch.kernel_error || launch.loads_nothing) return nothing_loaded(launch.kernel_error);
  Story story(resolver, std::move(launch));
  return story.tell(question.opens);
}

}  // namespace whyso::cli
