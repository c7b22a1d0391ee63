// SPDX-License-Identifier: Apache-2.0
// The import graph against Python itself, on packages that are made here and now.
#include "whyso/process/import_graph.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "whyso/base/text.h"
#include "whyso/tree/directory_tree.h"

namespace whyso::process {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/// Python itself says which modules an import needs: it is run once for each module below `root`
/// with that one broken, and with the variable X set and not set. "needs NAME" where the import
/// then fails in both, "loads NAME" where the module is there in either without any being broken.
constexpr const char* oracle = R"(
import importlib.machinery, os, pkgutil, sys
root, top = sys.argv[1:]
sys.path.insert(0, root)
sys.dont_write_bytecode = True
run = importlib.machinery.SourceFileLoader.exec_module
def exec_module(self, module):
    if self.name == broken: raise ImportError("broken")
    run(self, module)
importlib.machinery.SourceFileLoader.exec_module = exec_module
def in_child(name, variable):
    read, write = os.pipe()
    if os.fork() == 0:
        global broken
        broken = name
        os.environ.update({"X": "1"} if variable else {})
        os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
        try: __import__(top)
        except BaseException: os._exit(1)
        found = [n for n, m in sys.modules.items() if n != "__main__" and str(getattr(m, "__file__", "")).startswith(root)]
        os.write(write, " ".join(found).encode())
        os._exit(0)
    os.close(write)
    loaded = open(read).read().split()
    return os.wait()[1] == 0, loaded
names = []
for folder, folders, files in os.walk(root):
    inside = os.path.relpath(folder, root).replace("/", ".").lstrip(".")
    for file in files:
        if not file.endswith(".py") or file.startswith("oracle"): continue
        name = inside if file == "__init__.py" else (inside + "." + file[:-3]).lstrip(".")
        names.append(name)
for name in names:
    if not any(in_child(name, variable)[0] for variable in (True, False)): print("needs", name)
if not in_child("", True)[0] or not in_child("", False)[0]: sys.exit("the import fails in any case")
for name in set(in_child("", True)[1] + in_child("", False)[1]): print("loads", name)
)";

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  char part[4096];
  while (pipe != nullptr && std::fgets(part, sizeof part, pipe) != nullptr) text += part;
  if (pipe != nullptr) ::pclose(pipe);
  return text;
}

Path path(std::string_view text) { return *Path::parse(text); }

class World : public testing::Test {
 protected:
  World() { fs::create_directories(root_); }
  ~World() override { fs::remove_all(root_); }

  void file(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }

  /// What is called certain is what Python needs; what Python loads is foreseen.
  void agrees_with_python(const std::string& top) {
    std::ofstream(root_ / "oracle.py") << oracle;
    const std::string output = output_of("python3 -I " + (root_ / "oracle.py").string() + " " +
                                         root_.string() + " " + top);
    ASSERT_TRUE(output.contains("loads ")) << output;
    Names needed, loaded;
    for (const auto line : lines_of(output)) {
      (line.starts_with("needs ") ? needed : loaded).emplace(line.substr(6));
    }
    const tree::DirectoryTree tree;
    ImportGraph graph(tree, {.folders = {path(root_.string())}});
    Names certain, any;
    for (const auto& module : graph.reach(top).modules) {
      if (module.found.kind != ModuleKind::source) continue;
      any.insert(module.name);
      if (module.certainty == Certainty::certain) certain.insert(module.name);
    }
    EXPECT_EQ(certain, needed);
    for (const auto& name : loaded) EXPECT_TRUE(any.contains(name)) << name;
    for (const auto& name : needed) {
      const auto way = graph.find_certain_way(
          top, [&](std::string_view each, const FoundModule&) { return each == name; });
      ASSERT_TRUE(way.has_value()) << name;
      EXPECT_EQ(way->front().name, top);
      EXPECT_EQ(way->back().name, name);
    }
  }

  fs::path root_ = fs::temp_directory_path() / ("whyso_graph_" + std::to_string(::getpid()));
};

TEST_F(World, dotted_names_import_all_packages_above) {
  file("top.py", "import a.b.c\nimport d.e as e\nfrom f.g import h\n");
  for (const auto* name : {"a/__init__", "a/b/__init__", "a/b/c", "a/b/d", "d/__init__", "d/e",
                           "f/__init__", "f/other"}) {
    file(std::string(name) + ".py", "");
  }
  file("f/g.py", "h = 1\n");
  agrees_with_python("top");
}

TEST_F(World, relative_names_start_at_the_package) {
  file("p/__init__.py", "from . import a\nfrom .b import c\n");
  file("p/a.py", "from .q import deep\n");
  file("p/b.py", "c = 1\n");
  file("p/d.py", "");
  file("p/q/__init__.py", "from .. import d\nfrom ..r import thing\n");
  file("p/q/deep.py", "from ..q import deeper\nfrom . import deeper as x\n");
  file("p/q/deeper.py", "");
  file("p/r.py", "thing = 1\n");
  agrees_with_python("p");
}

TEST_F(World, from_takes_a_submodule_only_where_the_package_has_no_such_name) {
  file("top.py",
       "from p import free, bound, function, klass, looped, starred\n"
       "from q import sub\nfrom r import lazy\nfrom t import x\n");
  file("p/__init__.py",
       "bound = 1\ndef function(): pass\nclass klass: pass\n"
       "for looped in (1,): pass\nfrom .many import *\n");
  file("p/many.py", "starred = 1\n");
  for (const auto* name : {"free", "bound", "function", "klass", "looped", "starred"}) {
    file(std::string("p/") + name + ".py", "");
  }
  file("q/__init__.py", "from .other import sub\n");
  file("q/other.py", "sub = 1\n");
  file("q/sub.py", "");
  file("r/__init__.py", "def __getattr__(name):\n    return 1\n");
  file("r/lazy.py", "");
  file("t/__init__.py", "x = y = 1\n__all__ = ['x']\n");
  file("t/x.py", "");
  agrees_with_python("top");
}

TEST_F(World, a_package_takes_its_own_submodules_before_it_uses_their_names) {
  file("p/__init__.py",
       "from . import a, b\na, b = a.f(), b\nfrom . import c\nc = c.x\n"
       "d = 1\nfrom . import d\n");
  file("p/a.py", "def f(): pass\n");
  file("p/b.py", "");
  file("p/c.py", "x = 1\n");
  file("p/d.py", "");
  agrees_with_python("p");
}

TEST_F(World, a_swallowed_failure_is_none) {
  file("top.py",
       "try:\n    import a\nexcept ImportError:\n    a = None\n"
       "try:\n    import b\nexcept ModuleNotFoundError:\n    raise ImportError('b')\n"
       "try:\n    import c\nexcept (KeyError, ImportError) as e:\n    raise RuntimeError() from e\n"
       "try:\n    import d\nexcept Exception:\n    pass\n"
       "try:\n    import e\nexcept:\n    pass\n"
       "try:\n    import f\nfinally:\n    import g\n"
       "try:\n    import h\nexcept KeyError:\n    pass\n");
  for (const auto* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    file(std::string(name) + ".py", "");
  }
  agrees_with_python("top");
}

TEST_F(World, a_try_that_always_ends_in_raise_is_as_certain_as_no_try) {
  file("top.py",
       "try:\n    x = 1\n    import a\nexcept ImportError:\n    raise\nexcept KeyError as e:\n"
       "    raise e\nelse:\n    import b\n"
       "try:\n    # first\n\n    import c\n    import d\nexcept KeyError:\n    pass\n"
       "try:\n    import f\nexcept ImportError:\n    if x: raise\nelse:\n    import g\n");
  for (const auto* name : {"a", "b", "c", "d", "f", "g"}) file(std::string(name) + ".py", "");
  file("f.py", "import h\n");
  file("h.py", "");
  const tree::DirectoryTree tree;
  ImportGraph graph(tree, {.folders = {path(root_.string())}});
  Names certain;
  for (const auto& module : graph.reach("top").modules) {
    if (module.certainty == Certainty::certain) certain.insert(module.name);
  }
  // Python raises for f and g too, since x is true: that is not known here.
  EXPECT_EQ(certain, (Names{"top", "a", "b", "c", "d"}));
}

TEST_F(World, an_import_may_be_left_out_by_a_failure_before_it) {
  file("top.py",
       "import os\ntry:\n    os.environ['X']\n    import a\nexcept KeyError:\n    pass\n"
       "try:\n    import b\n    os.environ['X']\n    import c\nexcept KeyError:\n    pass\n"
       "try:\n    os.environ['X']\nexcept KeyError:\n    pass\nelse:\n    import d\n");
  for (const auto* name : {"a", "b", "c", "d"}) file(std::string(name) + ".py", "");
  agrees_with_python("top");
}

TEST_F(World, what_stands_in_place_of_a_failed_import_is_conditional) {
  file("top.py",
       "try:\n    import a\nexcept ImportError:\n    import b\n"
       "try:\n    import nothing_of_that_name\nexcept ImportError:\n    import c\n"
       "try:\n    import d\nexcept ImportError:\n    pass\nelse:\n    import e\n");
  for (const auto* name : {"a", "b", "c", "d", "e"}) file(std::string(name) + ".py", "");
  const tree::DirectoryTree tree;
  ImportGraph graph(tree, {.folders = {path(root_.string())}});
  std::map<std::string, Certainty> certainty;
  for (const auto& module : graph.reach("top").modules) certainty[module.name] = module.certainty;
  EXPECT_EQ(certainty.at("a"), Certainty::guarded);
  EXPECT_EQ(certainty.at("b"), Certainty::conditional);
  EXPECT_EQ(certainty.at("c"), Certainty::conditional);
  EXPECT_EQ(certainty.at("nothing_of_that_name"), Certainty::guarded);
  EXPECT_NE(certainty.at("e"), Certainty::certain);
}

TEST_F(World, functions_are_not_executed_and_classes_are) {
  file("top.py",
       "def f():\n    import a\nclass C:\n    import b\n    def m(self):\n        import c\n"
       "async def g():\n    import d\nwith open('/dev/null') as n:\n    import e\n"
       "x = lambda: __import__('h')\n");
  for (const auto* name : {"a", "b", "c", "d", "e", "h"}) file(std::string(name) + ".py", "");
  agrees_with_python("top");
}

TEST_F(World, undecided_branches_are_conditional_unless_both_import_it) {
  file("top.py",
       "import os\nX = os.environ.get('X')\n"
       "if X:\n    import a\nelse:\n    import b\n"
       "if X:\n    import both\nelse:\n    import both\n"
       "if X:\n    import three\nelif not X:\n    import three\nelse:\n    import three\n"
       "if X:\n    from p import m\nelse:\n    import p.m\n"
       "for i in range(2 if X else 0):\n    import c\n"
       "while X:\n    import d\n    break\n"
       "if X:\n    import e\n");
  for (const auto* name : {"a", "b", "c", "d", "e", "both", "three", "p/__init__", "p/m"}) {
    file(std::string(name) + ".py", "");
  }
  agrees_with_python("top");
}

TEST_F(World, decided_conditions_are_followed) {
  file("top.py",
       "import os, sys, platform\nfrom typing import TYPE_CHECKING\n"
       "if TYPE_CHECKING:\n    import a\nelse:\n    import b\n"
       "if sys.platform == 'win32':\n    import a\nelif os.name == 'posix':\n    import c\n"
       "else:\n    import a\n"
       "if sys.version_info < (3, 6):\n    import a\n"
       "if platform.system() == 'Linux' and not TYPE_CHECKING:\n    import d\n"
       "if __name__ == '__main__':\n    import a\n"
       "if sys.version_info >= (3, 6):\n    try:\n        import e\n    finally:\n        pass\n");
  for (const auto* name : {"a", "b", "c", "d", "e"}) file(std::string(name) + ".py", "");
  agrees_with_python("top");
}

TEST_F(World, nothing_follows_a_raise) {
  file("top.py", "try:\n    import a\nexcept ImportError:\n    pass\nimport c\n");
  file("a.py", "import b\nraise ImportError('never')\nimport d\n");
  for (const auto* name : {"b", "c", "d"}) file(std::string(name) + ".py", "");
  const tree::DirectoryTree tree;
  ImportGraph graph(tree, {.folders = {path(root_.string())}});
  std::map<std::string, Certainty> certainty;
  for (const auto& module : graph.reach("top").modules) certainty[module.name] = module.certainty;
  EXPECT_EQ(certainty.at("b"), Certainty::guarded);
  EXPECT_EQ(certainty.at("c"), Certainty::certain);
  EXPECT_EQ(certainty.at("d"), Certainty::conditional);
}

TEST_F(World, circles_end) {
  file("a.py", "import b\nimport p\n");
  file("b.py", "import c\n");
  file("c.py", "import a\n");
  file("p/__init__.py", "from . import q\nimport p\n");
  file("p/q.py", "import p.q\nfrom . import q\n");
  agrees_with_python("a");
}

TEST_F(World, functions_called_by_the_module_itself_may_import) {
  file("top.py",
       "def f():\n    import a\ndef g():\n    import b\nclass C:\n    def m(self):\n"
       "        import c\nf()\n");
  for (const auto* name : {"a", "b", "c"}) file(std::string(name) + ".py", "");
  const tree::DirectoryTree tree;
  ImportGraph graph(tree, {.folders = {path(root_.string())}});
  Names names;
  for (const auto& module : graph.reach("top").modules) {
    names.insert(module.name);
    EXPECT_EQ(module.certainty, module.name == "a" ? Certainty::conditional : Certainty::certain);
  }
  EXPECT_EQ(names, (Names{"top", "a"}));
}

}  // namespace
}  // namespace whyso::process
