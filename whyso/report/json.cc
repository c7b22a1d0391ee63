// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/json.h"

#include <set>
#include <utility>
#include <vector>

#include "whyso/base/hash.h"
#include "whyso/base/text.h"
#include "whyso/report/finding_text.h"
#include "whyso/report/page.h"
#include "whyso/report/words.h"

namespace whyso::report {
namespace {

using check::Finding;
using json::Array;
using json::Object;
using json::Value;

/// What is not known is left out.
void set_text(Object& object, std::string_view key, std::string_view text) {
  if (!text.empty()) object.emplace(key, text);
}

void set_texts(Object& object, std::string_view key, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  object.emplace(key, Array(texts.begin(), texts.end()));
}

template <class T, class Make>
Array each(const std::vector<T>& values, Make make) {
  Array array;
  for (const auto& value : values) array.push_back(make(value));
  return array;
}

Value subject_json(const check::Subject& subject) {
  Object object;
  set_text(object, "package", subject.package);
  set_text(object, "version", subject.version);
  set_text(object, "soname", subject.soname);
  set_text(object, "path", subject.path);
  set_texts(object, "needed_by", subject.needed_by);
  set_text(object, "content_of", subject.content_of);
  set_text(object, "state", subject.state);
  return object;
}

Value evidence_json(const check::Evidence& evidence) {
  Object object = {{"kind", evidence.kind}};
  set_text(object, "file", evidence.file);
  set_text(object, "detail", evidence.detail);
  return object;
}

Value cause_json(const check::Cause& cause) {
  Object object = {{"text", cause.text},
                   {"confidence", word_of(cause.confidence)},
                   {"evidence", each(cause.evidence, evidence_json)}};
  set_text(object, "reason", cause.reason);
  return object;
}

Value effect_json(const check::Effect& effect) {
  Object object = {{"kind", effect.kind}, {"name", effect.name}};
  set_text(object, "text", effect.text);
  return object;
}

Value command_json(const check::Command& command) { return Array(command.begin(), command.end()); }

Value fix_json(const check::Fix& fix) {
  Object object = {{"id", fix.id},
                   {"applicability", word_of(fix.applicability)},
                   {"commands", each(fix.commands, command_json)}};
  set_text(object, "summary", fix.summary);
  return object;
}

std::string rendered(const Finding& finding, const RuleNames& names) {
  Page page({.width = 80});
  write_finding(page, finding, names);
  return std::move(page).text();
}

Object finding_json(const Finding& finding, const RuleNames& names) {
  Object object = {{"code", finding.code},
                   {"name", rule_name(names, finding.code)},
                   {"level", word_of(finding.severity)},
                   {"confidence", word_of(finding.confidence)},
                   {"fingerprint", fingerprint(finding)},
                   {"message", finding.message},
                   {"subjects", each(finding.subjects, subject_json)},
                   {"because", each(finding.because, cause_json)},
                   {"breaks", each(finding.breaks, effect_json)},
                   {"fixes", each(finding.fixes, fix_json)},
                   {"rendered", rendered(finding, names)}};
  set_texts(object, "remarks", finding.remarks);
  return object;
}

Value error_json(const Error& error) {
  return Object{{"kind", word_of(error.kind)}, {"where", error.where}, {"what", error.what}};
}

Value target_json(const check::Report& report) {
  Object object = {{"kind", "env"}, {"ref", report.target}, {"path", report.target_path}};
  set_text(object, "chosen_by", report.chosen_by);
  set_text(object, "python", report.python);
  return object;
}

Value category_json(const check::Category& category) {
  return Object{
      {"name", category.name}, {"state", word_of(category.state)}, {"text", category.text}};
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

Value ownership_json(const check::Ownership& owner) {
  Object object = {{"listed_by", Array(owner.listed_by.begin(), owner.listed_by.end())}};
  set_text(object, "content_of", owner.content_of);
  set_text(object, "content_state", owner.content_state);
  return object;
}

Value tried_json(const check::TriedPath& tried) {
  return Object{{"path", tried.path}, {"verdict", tried.verdict}, {"taken", tried.taken}};
}

Value step_json(const check::SearchStep& step) {
  return Object{{"name", step.name},
                {"summary", step.summary},
                {"decided", step.decided},
                {"tried", each(step.tried, tried_json)}};
}

Value other_json(const check::OtherCopy& other) {
  Object object = {{"path", other.path}, {"owner", ownership_json(other.owner)}};
  set_text(object, "why_not", other.why_not);
  return object;
}

Value load_json(const check::LoadStory& load) {
  Object object = {{"name", load.name},
                   {"owner", ownership_json(load.owner)},
                   {"steps", each(load.steps, step_json)},
                   {"others", each(load.others, other_json)}};
  set_text(object, "path", load.path);
  set_text(object, "real_path", load.real_path);
  set_text(object, "error", load.error);
  set_text(object, "process", load.process);
  set_texts(object, "asked_for_by", load.asked_for_by);
  return object;
}

Value file_json(const check::FileStory& file) {
  Object object = {{"path", file.path}, {"owner", ownership_json(file.owner)}};
  set_text(object, "format", file.format);
  set_text(object, "soname", file.soname);
  set_texts(object, "needs", file.needs);
  set_texts(object, "needed_by", file.needed_by);
  return object;
}

Value distribution_json(const check::DistributionStory& story) {
  Object object = {{"name", story.name},
                   {"version", story.version},
                   {"requested", story.requested},
                   {"files", std::size_t{story.files}},
                   {"missing", std::size_t{story.missing}}};
  set_text(object, "installer", story.installer);
  set_text(object, "location", story.location);
  set_texts(object, "required_by", story.required_by);
  set_texts(object, "libraries", story.libraries);
  return object;
}

Value provider_json(const check::Provider& provider) {
  Object object = {{"provider", provider.provider}, {"knowledge", provider.is_knowledge}};
  set_text(object, "path", provider.path);
  set_text(object, "soname", provider.soname);
  set_text(object, "state", provider.state);
  set_text(object, "source", provider.source);
  return object;
}

Value text_or_null(const std::string& text) { return text.empty() ? Value(nullptr) : Value(text); }

Value load_line_json(const check::LoadLine& load) {
  return Object{{"path", load.path}, {"owner", text_or_null(load.owner)},
                {"by", load.by},     {"how", load.how == "needed" ? "needed" : "dlopen"},
                {"when", load.when}, {"certainty", load.certainty}};
}

Value import_json(const check::ImportLoads& import) {
  return Object{{"name", import.name},
                {"ok", import.is_ok},
                {"error", text_or_null(import.error)},
                {"loads", each(import.loads, load_line_json)}};
}

}  // namespace

Object document(const Tool& tool) {
  return {{"schema_version", "1"}, {"tool", Object{{"name", "whyso"}, {"version", tool.version}}}};
}

std::string fingerprint(const Finding& finding) {
  std::set<std::string> names;
  for (const auto& subject : finding.subjects) {
    const std::string what =
        subject.soname.empty() ? std::string(file_name(subject.path)) : subject.soname;
    std::string line = subject.package + '\n' + what;
    std::set<std::string_view> users;
    for (const auto& user : subject.needed_by) users.insert(file_name(user));
    for (const auto user : users) line += '\n' + std::string(user);
    names.insert(std::move(line));
  }
  std::string text = finding.code;
  for (const auto& name : names) text += '\0' + name;
  const Sha256 digest = sha256(bytes_of(text));
  return hexadecimal(text_of(digest)).substr(0, 16);
}

Object findings_document(const check::Report& report, const RuleNames& names, const Tool& tool) {
  const Tally counts = tally(report);
  Object object = document(tool);
  object.emplace("target", target_json(report));
  object.emplace("coverage", Object{{"complete", report.unreadable.empty()},
                                    {"packages", std::size_t{report.packages}},
                                    {"elf", std::size_t{report.objects}},
                                    {"unreadable", each(report.unreadable, error_json)}});
  object.emplace("findings", each(report.findings, [&](const Finding& finding) {
                   return Value(finding_json(finding, names));
                 }));
  object.emplace(
      "summary",
      Object{{"error", counts.errors}, {"warning", counts.warnings}, {"note", counts.notes}});
  return object;
}

Value check_json(const check::Report& report, const RuleNames& names, const Tool& tool) {
  Object object = findings_document(report, names, tool);
  object.emplace("categories", each(report.categories, category_json));
  object.emplace("suppressed", each(report.suppressed, [&](const check::Suppressed& suppressed) {
                   Object item = {{"finding", finding_json(suppressed.finding, names)},
                                  {"reason", suppressed.reason}};
                   set_text(item, "until", suppressed.until);
                   return Value(std::move(item));
                 }));
  return object;
}

std::string check_ndjson(const check::Report& report, const RuleNames& names, const Tool& tool) {
  std::string text;
  for (const auto& finding : report.findings) {
    Object object = finding_json(finding, names);
    object.merge(document(tool));
    object.emplace("target", target_json(report));
    text += json::write_compact(object) + "\n";
  }
  return text;
}

Value why_json(const check::Why& why, const Tool& tool) {
  Object object = document(tool);
  object.emplace("query", why.query);
  object.emplace("loads", each(why.loads, load_json));
  object.emplace("files", each(why.files, file_json));
  object.emplace("distributions", each(why.distributions, distribution_json));
  set_texts(object, "did_you_mean", why.did_you_mean);
  return object;
}

Value provides_json(const check::Provides& provides, const Tool& tool) {
  Object object = document(tool);
  object.emplace("query", provides.query);
  object.emplace("providers", each(provides.providers, provider_json));
  set_texts(object, "did_you_mean", provides.did_you_mean);
  return object;
}

Value loads_json(const check::Loads& loads, const Tool& tool) {
  Object object = document(tool);
  object.emplace("imports", each(loads.imports, import_json));
  return object;
}

}  // namespace whyso::report
