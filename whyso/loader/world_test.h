// SPDX-License-Identifier: Apache-2.0
// For tests: a tree of made files, and one process in it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/loader/load.h"
#include "whyso/loader/made_elf_test.h"
#include "whyso/tree/memory_tree.h"

namespace whyso::loader {

using Texts = std::vector<std::string>;

/// glibc 2.36 without subdirectories and cache; default directories /lib and /usr/lib; the program
/// is /app/prog.
class WorldTest : public testing::Test {
 protected:
  WorldTest() {
    rules.abi = {.elf_class = elf::ElfClass::elf64, .machine = elf::Machine::x86_64};
    rules.interpreter = "/lib64/ld.so";
    rules.soname = "ld.so.2";
    rules.default_directories = {"/lib/", "/usr/lib/"};
    rules.library_token = "lib64";
    rules.platform = "x86_64";
    rules.subdirectories = {""};
    tree.add_folder("/lib");
    tree.add_folder("/usr/lib");
  }

  void add(std::string_view path, const MadeElf& file) { tree.add_file(path, file.bytes()); }

  Outcome start() {
    resolver = std::make_unique<tree::Resolver>(tree);
    loader = std::make_unique<Loader>(*resolver, rules, context);
    process = std::make_unique<Process>(*loader);
    return process->start("/app/prog");
  }

  Outcome open(std::string name) { return process->open({.name = std::move(name)}); }

  /// Paths of what is mapped, without the program, ld.so and the vDSO.
  [[nodiscard]] Texts loaded() const {
    Texts paths;
    for (const Id<Object> id : process->order()) {
      const Object& object = process->objects()[id];
      if (object.kind == ObjectKind::library) paths.push_back(loader->files().text(object.path));
    }
    return paths;
  }

  static std::string text(const std::optional<LoadError>& error, Speaker speaker) {
    return error ? error->text(speaker) : "";
  }

  tree::MemoryTree tree;
  LoaderRules rules;
  ProcessContext context;
  std::unique_ptr<tree::Resolver> resolver;
  std::unique_ptr<Loader> loader;
  std::unique_ptr<Process> process;
};

}  // namespace whyso::loader
