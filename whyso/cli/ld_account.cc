// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/ld_account.h"

#include <array>
#include <optional>
#include <utility>

#include "whyso/cli/ld_request.h"
#include "whyso/cli/ld_symbols.h"
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
constexpr int exit_segmentation_fault = -11;

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

/// One process with the means to tell of it.
class Story {
 public:
  Story(tree::Resolver& resolver, loader::Launch launch, const LdQuestion& question)
      : question_(question),
        program_(launch.program),
        loader_(resolver, std::move(launch.rules), std::move(launch.context)),
        process_(loader_) {}

  LdAnswer tell() {
    const loader::Outcome started = process_.start(program_);
    const bool goes_on = loader_.context().failure == loader::Failure::go_on;
    if (started.error && !goes_on) {
      fail(*started.error);
    } else {
      for (const std::string& request : question_.opens) {
        if (!has_ended_) tell_request(request);
      }
    }
    answer_["objects"] = objects();
    tell_failures();
    answer_["searches"] = searches();
    answer_["loaded"] = loaded(started.error && !goes_on);
    tell_symbols(started.error && !goes_on);
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
    if (error.is_overflow) exit_ = exit_segmentation_fault;
    if (error.is_crash) return;
    const std::string text = error.text(loader::Speaker::program_start);
    switch (error.stage) {
      case loader::Stage::mapping:
        error_ = process_.program_name() + ": error while loading shared libraries: " + text;
        break;
      case loader::Stage::versions:
        exit_ = exit_missing_version;
        break;
      case loader::Stage::symbols:
        error_ = process_.program_name() + ": " + error.occasion + ": " + text;
        break;
      case loader::Stage::cpu:
      case loader::Stage::assertion:
        error_ = text;
        break;
    }
  }

  void tell_request(const std::string& text) {
    const LdRequest request = parse_ld_request(text);
    switch (request.action) {
      case LdAction::open:
        return tell_open(text, request);
      case LdAction::close:
        return tell_close(text);
      default:
        return tell_symbol(text, request);
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

  /// dlsym; what a call does is not known but for the thread-local data of its library.
  void tell_symbol(const std::string& text, const LdRequest& request) {
    const bool is_anywhere = request.action == LdAction::anywhere || handles_.empty();
    const auto found =
        process_.symbol(request.name, is_anywhere ? std::nullopt : std::optional(handles_.back()));
    Object told{{"request", text}, {"error", nullptr}};
    if (found.error) told["error"] = found.error->text(loader::Speaker::dlopen);
    if (found.object) {
      told["value"] = loader::display_name(process_, process_.objects()[*found.object].path);
    }
    if (request.action == LdAction::call && found.object) {
      const auto dangers = dangers_of(process_);
      told["dangers"] = Array(dangers.begin(), dangers.end());
      process_.run_code_of(*found.object);
      called_ = found.object;
    }
    opens_.push_back(std::move(told));
  }

  void tell_open(const std::string& open, const LdRequest& wanted) {
    loader::OpenRequest request{.name = wanted.name, .flags = wanted.flags};
    if (wanted.is_from_library && !handles_.empty())
      request.caller = called_.value_or(handles_.back());
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

  /// What relocation found, and what running code may find.
  void tell_symbols(bool has_failed) {
    Array initialized;
    const bool is_traced = loader_.context().symbols == loader::SymbolWork::none;
    for (const ObjectId id : process_.initialized()) {
      if (is_traced) break;
      initialized.push_back(text_of(process_.objects()[id].path));
    }
    answer_["initialized"] = std::move(initialized);
    const auto dangers = has_failed ? std::vector<std::string>() : dangers_of(process_);
    answer_["dangers"] = Array(dangers.begin(), dangers.end());
    if (question_.tells_symbols) {
      Array unresolved = unresolved_of(process_);
      text_ += unresolved_lines(unresolved);
      answer_["unresolved"] = std::move(unresolved);
    }
    if (question_.tells_bindings) {
      Array bindings = bindings_of(process_);
      text_ += binding_lines(bindings);
      answer_["bindings"] = std::move(bindings);
    }
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
    if (crashed_) {
      text_ += exit_ == Value(exit_bus_error)
                   ? "the process dies of SIGBUS: a file is cut short\n"
                   : "the process dies of SIGSEGV: libraries filter each other\n";
    }
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

  const LdQuestion& question_;
  std::string program_;
  loader::Loader loader_;
  loader::Process process_;
  std::vector<ObjectId> handles_;   // what was opened and not closed
  std::optional<ObjectId> called_;  // whose function was called last
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
  Object answer{{"objects", Array()},  {"searches", Array()}, {"loaded", Array()},
                {"warnings", Array()}, {"opens", Array()},    {"initialized", Array()},
                {"dangers", Array()},  {"error", nullptr},    {"exit", 0}};
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
  if (question.release) {
    launch.rules = loader::under_release(std::move(launch.rules), *question.release, machine);
  }
  const bool is_traced =
      launch.context.is_listed_only || launch.context.failure == loader::Failure::go_on;
  if (!is_traced) {
    launch.context.symbols =
        question.tells_bindings ? loader::SymbolWork::record : loader::SymbolWork::all;
  }
  Story story(resolver, std::move(launch), question);
  return story.tell();
}

}  // namespace whyso::cli
