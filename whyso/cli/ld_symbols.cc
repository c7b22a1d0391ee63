// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/ld_symbols.h"

#include <optional>

#include "whyso/loader/account.h"

namespace whyso::cli {
namespace {

using json::Array;
using json::Object;
using json::Value;

std::string path_of(const loader::Process& process, Id<loader::Object> object) {
  return loader::display_name(process, process.objects()[object].path);
}

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

std::string_view consequence_of(const loader::Unresolved& unresolved) {
  if (unresolved.is_weak) return "none";
  return unresolved.time == loader::BindingTime::at_load ? "load" : "call";
}

std::string text_at(const Value& value, std::string_view key) {
  const Value* member = value.find(key);
  const std::string* text = member == nullptr ? nullptr : member->find_text();
  return text == nullptr ? std::string() : *text;
}

}  // namespace

Array unresolved_of(const loader::Process& process) {
  Array told;
  for (const loader::Unresolved& one : process.unresolved(process.order())) {
    told.push_back(Object{{"object", path_of(process, one.object)},
                          {"symbol", one.symbol},
                          {"version", text_or_null(one.version)},
                          {"version_file", text_or_null(one.version_file)},
                          {"reference", elf::words_of(one.kind)},
                          {"fails", consequence_of(one)}});
  }
  return told;
}

std::vector<std::string> dangers_of(const loader::Process& process) {
  std::vector<std::string> dangers;
  for (const loader::Unresolved& one : process.unresolved(process.order())) {
    if (one.is_weak || one.time == loader::BindingTime::at_load) continue;
    dangers.push_back(process.program_name() + ": symbol lookup error: " +
                      path_of(process, one.object) + ": " + one.error_text());
  }
  for (const Id<loader::Object> id : process.order()) {
    const auto& file = process.objects()[id].file;
    if (file && process.loader().symbols().of(*file).is_torn()) {
      dangers.push_back("SIGBUS: " + path_of(process, id) + " is cut short");
    }
  }
  return dangers;
}

Array bindings_of(const loader::Process& process) {
  Array told;
  loader::Loader& loader = process.loader();
  for (const loader::Bound& bound : process.bound()) {
    const auto& from = process.objects()[bound.from];
    if (!from.file) continue;
    const auto reference = loader.symbols().of(*from.file).reference(bound.symbol);
    if (!reference) continue;
    Object one{{"from", path_of(process, bound.from)},
               {"symbol", reference->name},
               {"version", nullptr},
               {"to", path_of(process, bound.to)}};
    if (reference->version != nullptr) one["version"] = reference->version->name;
    if (bound.is_protected) one["protected"] = true;
    told.push_back(std::move(one));
  }
  return told;
}

std::string unresolved_lines(const Array& unresolved) {
  std::string text;
  for (const Value& one : unresolved) {
    const std::string version = text_at(one, "version");
    const std::string fails = text_at(one, "fails");
    text += text_at(one, "object") + ": undefined symbol: " + text_at(one, "symbol");
    if (!version.empty()) text += ", version " + version;
    if (fails == "none") text += " (weak: may be absent)";
    if (fails == "call") text += " (noticed when it is called)";
    text += '\n';
  }
  return text;
}

std::string binding_lines(const Array& bindings) {
  std::string text;
  for (const Value& one : bindings) {
    const std::string version = text_at(one, "version");
    text += text_at(one, "from") + ": " + text_at(one, "symbol");
    if (!version.empty()) text += "@" + version;
    text += " => " + text_at(one, "to") + "\n";
  }
  return text;
}

}  // namespace whyso::cli
