// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/ld.h"

#include <unistd.h>

#include <memory>

#include "whyso/base/text.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/ld_account.h"
#include "whyso/report/json.h"
#include "whyso/report/style.h"
#include "whyso/tree/directory_tree.h"

namespace whyso::cli {
namespace {

/// The computer that whyso runs on.
loader::Machine this_machine() {
  const tree::DirectoryTree host;
  const auto cpuinfo = host.read(*Path::parse("/proc/cpuinfo"));
  loader::Machine machine =
      loader::machine_of_cpuinfo(cpuinfo.is_present() ? cpuinfo.value().blob.text() : "");
  const long page_size = ::sysconf(_SC_PAGESIZE);
  if (page_size > 0) machine.page_size = static_cast<std::uint64_t>(page_size);
  return machine;
}

LdQuestion ld_question_of(const Options& options, const std::string& root) {
  LdQuestion question{.command = {.arguments = options.request.arguments},
                      .opens = options.settings.list("open"),
                      .tells_symbols = options.settings.has("symbols"),
                      .tells_bindings = options.settings.has("bindings")};
  const std::string cwd = options.settings.given_text("cwd");
  question.command.cwd = root.empty() ? options.surroundings.working_folder : "/";
  if (!cwd.empty()) question.command.cwd = cwd;
  for (const std::string& variable : options.settings.list("var")) {
    const auto equals = variable.find('=');
    const bool has_value = equals != std::string::npos;
    question.command.variables.emplace_back(variable.substr(0, equals),
                                            has_value ? variable.substr(equals + 1) : "");
  }
  return question;
}

/// Why the program cannot be asked about; nothing where it is there.
std::optional<Refusal> absence_of(tree::Resolver& resolver, const LdQuestion& question) {
  const std::string& program = question.command.arguments.front();
  const auto path = Path::parse(question.command.cwd).value_or(Path()).join(program);
  const auto walk = path ? resolver.resolve(path->text()) : tree::Walk();
  const bool is_there = walk.is_found() && walk.facts.kind == tree::FileKind::regular;
  const bool is_unclear =
      walk.outcome == tree::WalkOutcome::not_permitted || walk.outcome == tree::WalkOutcome::failed;
  if (is_there || is_unclear) return std::nullopt;
  return Refusal{Status::wrong_usage,
                 program + (walk.is_found() ? ": is no file" : ": there is no such program"), ""};
}

Judged<LdAnswer> ask(const Options& options) {
  const std::string root = options.settings.given_text("root");
  LdQuestion question = ld_question_of(options, root);
  const std::string rules = options.settings.given_text("rules");
  question.release = loader::find_release(rules);
  if (!rules.empty() && !question.release) {
    return std::unexpected(Refusal{Status::wrong_usage, "--rules " + rules + " is not modelled",
                                   "possible are: glibc-2.17 to glibc-2.42"});
  }
  std::unique_ptr<tree::DirectoryTree> tree = std::make_unique<tree::DirectoryTree>();
  if (!root.empty()) {
    auto opened = tree::DirectoryTree::open(root);
    if (!opened) return std::unexpected(Refusal{Status::wrong_usage, opened.error().text(), ""});
    tree = *std::move(opened);
  }
  tree::Resolver resolver(*tree);
  if (auto absence = absence_of(resolver, question)) return std::unexpected(*std::move(absence));
  auto answer = answer_ld(resolver, question, this_machine());
  if (answer) return *std::move(answer);
  return std::unexpected(Refusal{Status::incomplete, answer.error().text(), ""});
}

std::string document_of(const LdAnswer& answer, const Resources& resources) {
  json::Object object = report::document({std::string(resources.version)});
  for (const auto& [key, value] : *answer.json.find_object()) object.emplace(key, value);
  return json::write(object);
}

/// Names in it are foreign.
std::string text_of(const LdAnswer& answer, const report::Style& style) {
  std::string text;
  for (const auto line : lines_of(answer.text)) text += report::shown(line, style) + "\n";
  return text;
}

}  // namespace

Status run_ld(const Options& options, const Resources& resources, Streams& streams) {
  const auto answer = ask(options);
  if (!answer) return refuse(answer.error(), streams);
  const auto text = [&](const Destination& place) {
    return place.format == Format::json ? document_of(*answer, resources)
                                        : text_of(*answer, style_for(options, place));
  };
  deliver(options, text, streams);
  return answer->is_good ? Status::good : Status::findings;
}

}  // namespace whyso::cli
