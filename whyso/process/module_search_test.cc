// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/module_search.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "whyso/base/text.h"
#include "whyso/process/standard_modules.h"
#include "whyso/tree/directory_tree.h"
#include "whyso/tree/memory_tree.h"

namespace whyso::process {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> suffixes = {".cpython-311-x86_64-linux-gnu.so", ".abi3.so", ".so"};

Path path(std::string_view text) { return *Path::parse(text); }

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  char part[4096];
  while (pipe != nullptr && std::fgets(part, sizeof part, pipe) != nullptr) text += part;
  if (pipe != nullptr) ::pclose(pipe);
  return text;
}

/// Answers a name by Python's own finders over the folders a and b; one line as `answer` writes it.
constexpr const char* oracle = R"(
import sys, importlib.machinery as m
root, names = sys.argv[1], sys.argv[2:]
details = [(m.ExtensionFileLoader, [".cpython-311-x86_64-linux-gnu.so", ".abi3.so", ".so"]),
           (m.SourceFileLoader, [".py"]), (m.SourcelessFileLoader, [".pyc"])]
sys.path_hooks[:] = [m.FileFinder.path_hook(*details)]
sys.path_importer_cache.clear()
kinds = {"ExtensionFileLoader": "extension", "SourceFileLoader": "source", "SourcelessFileLoader": "bytecode"}
for name in names:
    where, so_far, spec = [root + "/a", root + "/b"], "", None
    for part in name.split("."):
        so_far = (so_far + "." + part).lstrip(".")
        spec = m.PathFinder.find_spec(so_far, where) if where is not None else None
        where = spec.submodule_search_locations if spec else None
        where = list(getattr(where, '_path', where)) if where is not None else None
        if spec is None: break
        sys.modules[so_far] = type(sys)(so_far)
        sys.modules[so_far].__path__ = where
    if spec is None: print(name, "absent")
    elif spec.origin is None: print(name, "namespace", *where)
    else: print(name, kinds[type(spec.loader).__name__], spec.origin, *(where or []))
)";

std::string answer(ModuleSearch& search, const std::string& name) {
  const FoundModule& found = search.find(name);
  std::string line = name;
  if (found.kind == ModuleKind::absent) line += " absent";
  if (found.kind == ModuleKind::namespace_package) line += " namespace";
  if (found.kind == ModuleKind::source) line += " source";
  if (found.kind == ModuleKind::bytecode) line += " bytecode";
  if (found.kind == ModuleKind::extension) line += " extension";
  if (found.file) line += " " + found.file->text();
  for (const auto& portion : found.portions) line += " " + portion.text();
  return line + "\n";
}

class Made : public testing::Test {
 protected:
  Made() { fs::create_directories(root_); }
  ~Made() override { fs::remove_all(root_); }

  void file(const std::string& name) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << "\n";
  }

  void agrees_with_python(const std::vector<std::string>& names) {
    const tree::DirectoryTree tree;
    ModuleSearch search(tree,
                        {.extension_suffixes = suffixes,
                         .folders = {path((root_ / "a").string()), path((root_ / "b").string())}});
    std::ofstream(root_ / "oracle.py") << oracle;
    std::string command = "python3 -I " + (root_ / "oracle.py").string() + " " + root_.string();
    std::string answers;
    for (const auto& name : names) {
      command += " " + name;
      answers += answer(search, name);
    }
    const std::string expected = output_of(command);
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(answers, expected);
  }

  fs::path root_ = fs::temp_directory_path() / ("whyso_search_" + std::to_string(::getpid()));
};

TEST_F(Made, python_agrees_about_the_order_of_suffixes_and_folders) {
  for (const auto* suffix :
       {".cpython-311-x86_64-linux-gnu.so", ".abi3.so", ".so", ".py", ".pyc"}) {
    file(std::string("a/all") + suffix);
  }
  file("a/abi3.abi3.so"), file("a/abi3.so"), file("a/abi3.py");
  file("a/plain.so"), file("a/plain.py");
  file("a/text.py"), file("a/text.pyc");
  file("a/code.pyc");
  file("a/foreign.cpython-310-x86_64-linux-gnu.so");
  file("b/text.py"), file("b/only_b.py"), file("b/foreign.py");
  agrees_with_python({"all", "abi3", "plain", "text", "code", "foreign", "only_b", "nowhere"});
}

TEST_F(Made, python_agrees_about_packages_against_modules) {
  file("a/both/__init__.py"), file("a/both.py"), file("a/both.so");
  file("a/empty/data.txt"), file("a/empty.py");
  file("a/native/__init__.abi3.so"), file("a/native/__init__.py"), file("a/native/inner.py");
  file("a/old/__init__.pyc");
  file("a/both/sub/__init__.py"), file("a/both/sub/leaf.so"), file("a/both/leaf.py");
  agrees_with_python({"both", "empty", "native", "native.inner", "old", "both.sub", "both.sub.leaf",
                      "both.leaf", "both.nothing", "both.leaf.below", "nothing.below"});
}

TEST_F(Made, python_agrees_about_namespace_packages) {
  file("a/space/one.py"), file("b/space/two.py"), file("b/space/deep/three.py");
  file("a/late/one.py"), file("b/late/__init__.py"), file("b/late/two.py");
  file("a/module/one.py"), file("b/module.py");
  agrees_with_python({"space", "space.one", "space.two", "space.deep", "space.deep.three", "late",
                      "late.one", "late.two", "module", "module.one"});
}

TEST_F(Made, python_agrees_about_links) {
  file("real/pkg/__init__.py"), file("real/pkg/inner.py"), file("real/mod.py");
  fs::create_directories(root_ / "a");
  fs::create_directory_symlink(root_ / "real", root_ / "b");
  fs::create_directory_symlink("../real/pkg", root_ / "a/linked");
  fs::create_symlink("../real/mod.py", root_ / "a/to_file.py");
  fs::create_symlink("nowhere", root_ / "a/broken.py");
  fs::create_symlink("loop.py", root_ / "a/loop.py");
  file("real/broken.py");
  agrees_with_python(
      {"linked", "linked.inner", "to_file", "broken", "loop", "pkg", "pkg.inner", "mod"});
}

TEST_F(Made, python_agrees_about_folders_that_are_called_like_files) {
  file("a/folder.py/x.txt"), file("b/folder.py");
  file("a/init/__init__.py/x.txt");
  agrees_with_python({"folder", "init"});
}

class Written : public testing::Test {
 protected:
  const FoundModule& find(std::string_view name) {
    if (!search_) {
      search_.emplace(tree_, SearchPath{.version = version_,
                                        .extension_suffixes = suffixes,
                                        .folders = {path("/std"), path("/site")},
                                        .standard_folders = {path("/std")},
                                        .missing_files = missing_});
    }
    return search_->find(name);
  }

  tree::MemoryTree tree_;
  PythonVersion version_;
  std::vector<Path> missing_;
  std::optional<ModuleSearch> search_;
};

TEST_F(Written, modules_of_the_interpreter_are_told_apart) {
  tree_.add_file("/std/json/__init__.py", "");
  tree_.add_file("/std/json/decoder.py", "");
  tree_.add_file("/site/time.py", "");
  tree_.add_file("/site/random.py", "");
  EXPECT_EQ(find("json").kind, ModuleKind::standard);
  EXPECT_EQ(find("json").file, path("/std/json/__init__.py"));
  EXPECT_EQ(find("json.decoder").kind, ModuleKind::standard);
  EXPECT_EQ(find("json.nothing").kind, ModuleKind::standard);
  EXPECT_EQ(find("time").kind, ModuleKind::standard) << "no file can shadow a builtin module";
  EXPECT_EQ(find("random").kind, ModuleKind::source) << "but another one where the folder lacks it";
  EXPECT_EQ(find("math").kind, ModuleKind::standard) << "it may be compiled in";
  EXPECT_EQ(find("numpy").kind, ModuleKind::absent);
}

TEST_F(Written, names_that_a_version_lacks_are_absent) {
  version_ = {3, 13};
  EXPECT_EQ(find("cgi").kind, ModuleKind::absent);
  EXPECT_EQ(find("tomllib").kind, ModuleKind::standard);
  EXPECT_TRUE(is_standard_module("cgi", {3, 12}));
  EXPECT_FALSE(is_standard_module("tomllib", {3, 10}));
  EXPECT_TRUE(is_standard_module("binhex", {3, 8}));
}

TEST_F(Written, a_file_that_a_record_lists_is_said_as_missing) {
  tree_.add_file("/site/pkg/__init__.py", "");
  tree_.add_file("/site/pkg/kept.py", "");
  tree_.add_file("/site/hollow/data.txt", "");
  missing_ = {path("/site/pkg/_c.abi3.so"), path("/site/pkg/kept.so"),
              path("/site/gone/__init__.py"), path("/site/gone/sub.py"),
              path("/site/hollow/__init__.py")};
  EXPECT_EQ(find("pkg._c").kind, ModuleKind::missing);
  EXPECT_EQ(find("pkg._c").file, path("/site/pkg/_c.abi3.so"));
  EXPECT_EQ(find("pkg.kept").kind, ModuleKind::source) << "the source answers in its place";
  EXPECT_EQ(find("gone").kind, ModuleKind::missing);
  EXPECT_EQ(find("gone.sub").kind, ModuleKind::missing);
  EXPECT_EQ(find("gone.other").kind, ModuleKind::absent);
  EXPECT_EQ(find("hollow").kind, ModuleKind::namespace_package);
  EXPECT_EQ(find("hollow").missing_init, path("/site/hollow/__init__.py"));
}

TEST_F(Written, what_could_not_be_looked_at_is_unknown) {
  tree_.add_unreadable("/std");
  tree_.add_file("/site/pkg/__init__.so", "");
  tree_.add_file("/site/native.so", "");
  tree_.add_unreadable("/site/locked");
  tree_.add_file("/site/open/__init__.py", "");
  tree_.add_unreadable("/site/open/shut");
  EXPECT_EQ(find("anything").kind, ModuleKind::unknown);
  EXPECT_EQ(find("anything").problem->where, "/std");
  EXPECT_EQ(find("open").kind, ModuleKind::source);
  EXPECT_EQ(find("native.inner").kind, ModuleKind::unknown) << "native code makes modules, too";
  EXPECT_EQ(find("native.inner.deeper").kind, ModuleKind::unknown);
  EXPECT_EQ(find("json").kind, ModuleKind::standard);
}

TEST_F(Written, an_archive_on_the_path_makes_absence_unknown) {
  tree_.add_file("/std", "PK");
  tree_.add_file("/site/a.py", "");
  EXPECT_EQ(find("a").kind, ModuleKind::source);
  EXPECT_EQ(find("b").kind, ModuleKind::unknown);
}

TEST_F(Written, odd_names_are_absent_or_unknown_and_harmless) {
  tree_.add_file("/site/a/__init__.py", "");
  for (const std::string name : {"", ".", "..", "a.", ".a", "a..b", "a/b", "../site/a"}) {
    EXPECT_EQ(find(name).kind, ModuleKind::absent) << name;
  }
  EXPECT_EQ(find(std::string("a\0b", 3)).kind, ModuleKind::absent);
  std::string deep = "a";
  while (deep.size() < 100'000) deep += ".a";
  EXPECT_EQ(find(deep).kind, ModuleKind::unknown);
  EXPECT_EQ(find(deep.substr(0, 999)).kind, ModuleKind::absent);
}

TEST(StandardModules, the_names_are_those_that_python_itself_says) {
  const std::string names =
      output_of("python3 -I -c 'import sys; print(sys.version_info[1], *sys.stdlib_module_names)'");
  const auto words = split(trim(names), ' ');
  ASSERT_GT(words.size(), 200U);
  const PythonVersion version{3, static_cast<int>(*parse_decimal(words[0]))};
  for (std::size_t i = 1; i < words.size(); ++i) {
    EXPECT_TRUE(is_standard_module(words[i], version)) << words[i];
  }
  EXPECT_FALSE(is_standard_module("numpy", version));
}

TEST(StandardModules, the_modules_of_the_start_are_there_before_any_search) {
  const std::string names =
      output_of("python3 -I -c 'import sys; print(*sys.modules, *sys.builtin_module_names)'");
  const auto words = split(trim(names), ' ');
  for (const auto* name : {"sys", "os", "builtins", "posix", "encodings", "site", "stat"}) {
    EXPECT_TRUE(is_startup_module(name)) << name;
    EXPECT_NE(std::ranges::find(words, name), words.end()) << name;
  }
  EXPECT_FALSE(is_startup_module("json"));
}

}  // namespace
}  // namespace whyso::process
