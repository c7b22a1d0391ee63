// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/import_graph.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "whyso/tree/memory_tree.h"

namespace whyso::process {
namespace {

using Names = std::set<std::string>;

Path path(std::string_view text) { return *Path::parse(text); }

class Graph : public testing::Test {
 protected:
  Reach reach(std::string_view name) {
    graph_.emplace(tree_, path_);
    return graph_->reach(name);
  }

  tree::MemoryTree tree_;
  SearchPath path_{.extension_suffixes = {".cpython-311-x86_64-linux-gnu.so", ".abi3.so", ".so"},
                   .folders = {path("/std"), path("/site")},
                   .standard_folders = {path("/std")}};
  std::optional<ImportGraph> graph_;
};

Names names_of(const Reach& reach) {
  Names names;
  for (const auto& module : reach.modules) names.insert(module.name);
  return names;
}

TEST_F(Graph, the_standard_library_is_not_entered) {
  tree_.add_file("/std/json.py", "import decoder\n");
  tree_.add_file("/site/a.py", "import json, os.path, math\n");
  const Reach found = reach("a");
  EXPECT_EQ(names_of(found), (Names{"a", "json", "math", "os", "os.path"}));
  EXPECT_EQ(found.find_failure(), nullptr);
}

TEST_F(Graph, an_absent_module_fails_the_import_where_it_is_certain) {
  tree_.add_file("/site/a.py", "import b\n\nimport gone.sub\n");
  tree_.add_file("/site/b.py", "try:\n    import lost\nexcept ImportError:\n    pass\n");
  const Reach found = reach("a");
  ASSERT_NE(found.find_failure(), nullptr);
  EXPECT_EQ(found.find_failure()->name, "gone");
  EXPECT_EQ(found.find_failure()->importer, "a");
  EXPECT_EQ(found.find_failure()->importer_file, path("/site/a.py"));
  EXPECT_EQ(found.find_failure()->line, 3U);
  EXPECT_EQ(reach("b").find_failure(), nullptr);
  EXPECT_EQ(reach("nowhere").find_failure()->name, "nowhere");
}

TEST_F(Graph, code_that_may_provide_a_module_makes_its_absence_unknown) {
  tree_.add_file("/site/a/__init__.py", "import sys\nsys.modules['a.made'] = sys\nimport a.made\n");
  tree_.add_file("/site/b.py", "import six\nimport six.moves\n");
  tree_.add_file("/site/six.py", "import sys\nsys.meta_path.append(1)\n");
  tree_.add_file("/site/c.py", "import sys\nsys.path.insert(0, 'x')\nimport elsewhere\n");
  tree_.add_file("/site/d.py", "import sys\nsys.modules['other'] = sys\nimport lost\n");
  EXPECT_EQ(reach("a").find_failure(), nullptr);
  EXPECT_EQ(reach("b").find_failure(), nullptr);
  EXPECT_EQ(reach("c").find_failure(), nullptr);
  ASSERT_NE(reach("d").find_failure(), nullptr);
}

TEST_F(Graph, a_missing_extension_is_told_with_its_file_and_its_way) {
  tree_.add_file("/site/p/__init__.py", "from . import core\n");
  tree_.add_file("/site/p/core.py", "import sys\n\nfrom p._c import *\n");
  path_.missing_files = {path("/site/p/_c.abi3.so")};
  const Reach found = reach("p");
  ASSERT_NE(found.find_failure(), nullptr);
  EXPECT_EQ(found.find_failure()->found.kind, ModuleKind::missing);
  EXPECT_EQ(found.find_failure()->found.file, path("/site/p/_c.abi3.so"));
  const auto way = graph_->find_certain_way("p", [](std::string_view, const FoundModule& module) {
    return module.file && module.file->name() == "_c.abi3.so";
  });
  ASSERT_TRUE(way);
  ASSERT_EQ(way->size(), 3U);
  EXPECT_EQ((*way)[1].name, "p.core");
  EXPECT_EQ((*way)[2].line, 3U);
  EXPECT_EQ((*way)[2].importer_file, path("/site/p/core.py"));
}

TEST_F(Graph, modules_come_in_the_order_in_which_they_load) {
  tree_.add_file("/site/a.py", "import b\nif x:\n    import c\nimport d\n");
  tree_.add_file("/site/b.py", "import d\nfrom e import f\n");
  for (const auto* name : {"/site/c.py", "/site/d.py", "/site/e/__init__.py", "/site/e/f.so"}) {
    tree_.add_file(name, "");
  }
  std::vector<std::string> order;
  for (const auto& module : reach("a").modules) order.push_back(module.name);
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "d", "e", "e.f", "c"}));
}

TEST_F(Graph, the_surest_way_counts) {
  tree_.add_file("/site/a.py", "if x:\n    import b\nimport c\n");
  tree_.add_file("/site/b.py", "import d\n");
  tree_.add_file("/site/c.py", "try:\n    import e\nexcept ImportError: pass\nimport b\n");
  tree_.add_file("/site/d.py", "");
  tree_.add_file("/site/e.py", "import f\n");
  tree_.add_file("/site/f.py", "");
  for (const auto& module : reach("a").modules) {
    const bool is_guarded = module.name == "e" || module.name == "f";
    EXPECT_EQ(module.certainty, is_guarded ? Certainty::guarded : Certainty::certain)
        << module.name;
  }
}

TEST_F(Graph, code_that_runs_at_start_is_reached_and_may_fail) {
  path_.startup_code = {"import hook; hook.install()", "import lost_hook", "this is no python ("};
  tree_.add_file("/site/hook.py", "import inner\n");
  tree_.add_file("/site/inner.py", "");
  tree_.add_file("/site/a.py", "");
  const Reach found = reach("a");
  EXPECT_EQ(names_of(found), (Names{"a", "hook", "inner", "lost_hook"}));
  EXPECT_EQ(found.find_failure(), nullptr);
  for (const auto& module : found.modules) {
    EXPECT_EQ(module.certainty == Certainty::certain, module.name == "a") << module.name;
  }
}

TEST_F(Graph, what_cannot_be_read_is_said) {
  tree_.add_file("/site/a.py", "import b, c, d\n");
  tree_.add_file("/site/b.pyc", "\x6f\r\r\n");
  tree_.add_file("/site/c/__init__.py", "");
  tree_.add_unreadable("/site/c/__init__.py");
  tree_.add_file("/site/d.py", "import e\n");
  const Reach found = reach("a");
  ASSERT_FALSE(found.unknown.empty());
  EXPECT_EQ(found.unknown.front().where, "/site/b.pyc");
  EXPECT_EQ(found.find_failure()->name, "e");
}

TEST_F(Graph, large_and_odd_sources_take_no_time) {
  std::string branches, functions, attempts = "try:\n", nested;
  for (int i = 0; i < 20'000; ++i) {
    branches += "if x:\n import a\nelse:\n import b\n";
    functions += "def f" + std::to_string(i) + "():\n import a\n";
    attempts += "  import a\n\n";
  }
  for (int i = 0; i < 500; ++i) nested += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  tree_.add_file("/site/branches.py", branches);
  tree_.add_file("/site/functions.py", functions + "f0()\n");
  tree_.add_file("/site/attempts.py", attempts + "except KeyError: pass\n");
  tree_.add_file("/site/nested.py", nested + std::string(500, ' ') + "import a\n");
  tree_.add_file("/site/brackets.py", std::string(100'000, '(') + "\nimport a\n");
  tree_.add_file("/site/zeros.py", std::string(100'000, '\0') + "\nimport a\n");
  tree_.add_file("/site/a.py", "");
  tree_.add_file("/site/b.py", "");
  for (const auto* name : {"branches", "functions", "attempts", "nested"}) {
    EXPECT_TRUE(names_of(reach(name)).contains("a")) << name;
  }
  EXPECT_FALSE(reach("brackets").unknown.empty());
  reach("zeros");
}

TEST_F(Graph, ten_thousand_modules_in_a_chain_are_walked) {
  constexpr int count = 10'000;
  for (int i = 0; i < count; ++i) {
    tree_.add_file("/site/m" + std::to_string(i) + ".py", "import m" + std::to_string(i + 1));
  }
  const Reach found = reach("m0");
  EXPECT_EQ(found.modules.size(), count + 1U);
  ASSERT_NE(found.find_failure(), nullptr);
  EXPECT_EQ(found.find_failure()->name, "m10000");
}

}  // namespace
}  // namespace whyso::process
