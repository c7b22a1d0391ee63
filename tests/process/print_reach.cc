// SPDX-License-Identifier: Apache-2.0
// print_reach 3.11 [--suffix S] [--folders F] [--standard F] [--missing F] [--startup CODE]...
// NAME... Prints what each import comes to, one module a line, for tests that compare it with
// reality.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/text.h"
#include "whyso/process/import_graph.h"
#include "whyso/tree/directory_tree.h"

namespace {

using whyso::Path;
using whyso::process::Certainty;
using whyso::process::ModuleKind;

const char* text_of(ModuleKind kind) {
  switch (kind) {
    case ModuleKind::source:
      return "source";
    case ModuleKind::bytecode:
      return "bytecode";
    case ModuleKind::extension:
      return "extension";
    case ModuleKind::namespace_package:
      return "namespace";
    case ModuleKind::standard:
      return "standard";
    case ModuleKind::missing:
      return "missing";
    case ModuleKind::absent:
      return "absent";
    case ModuleKind::unknown:
      return "unknown";
  }
  return "";
}

const char* text_of(Certainty certainty) {
  if (certainty == Certainty::certain) return "certain";
  return certainty == Certainty::guarded ? "guarded" : "conditional";
}

struct Question {
  whyso::process::SearchPath path;
  std::vector<std::string> names;
};

bool add(Question& question, std::string_view option, const std::string& value) {
  const auto path = Path::parse(value);
  if (option == "--suffixes") question.path.extension_suffixes.push_back(value);
  if (option == "--startup") question.path.startup_code.push_back(value);
  if (option == "--suffixes" || option == "--startup") return true;
  if (!path) return false;
  if (option == "--folders") question.path.folders.push_back(*path);
  if (option == "--standard") question.path.standard_folders.push_back(*path);
  if (option == "--missing") question.path.missing_files.push_back(*path);
  return true;
}

void print(whyso::process::ImportGraph& graph, const std::string& name) {
  const auto reach = graph.reach(name);
  for (const auto& module : reach.modules) {
    std::printf("%s\t%s\t%s\t%s\t%s\t%u\n", whyso::printable(module.name).c_str(),
                text_of(module.found.kind), text_of(module.certainty),
                module.found.file ? module.found.file->text().c_str() : "", module.importer.c_str(),
                module.line);
  }
  for (const auto& error : reach.unknown)
    std::fprintf(stderr, "unknown: %s\n", error.text().c_str());
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  Question question;
  question.path.version.minor = std::atoi(std::string(words[1]).substr(2).c_str());
  for (int i = 2; i < count; ++i) {
    const std::string word = words[i];
    if (!word.starts_with("--")) {
      question.names.push_back(word);
    } else if (i + 1 >= count || !add(question, word, words[++i])) {
      return 2;
    }
  }
  const whyso::tree::DirectoryTree tree;
  whyso::process::ImportGraph graph(tree, std::move(question.path));
  const auto start = std::chrono::steady_clock::now();
  for (const auto& name : question.names) print(graph, name);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::fprintf(stderr, "took %.1f ms\n", took.count());
  return 0;
}
