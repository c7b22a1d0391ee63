// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/prediction.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "whyso/loader/world_test.h"

namespace whyso::process {
namespace {

using loader::MadeElf;
using Texts = std::vector<std::string>;

constexpr std::string_view gone = ": cannot open shared object file: No such file or directory";

class Imports : public loader::WorldTest {
 protected:
  Imports() {
    context.failure = loader::Failure::go_on;
    add("/app/prog", {});
  }

  void source(std::string_view path, std::string_view text) { tree.add_file(path, text); }

  const std::vector<PredictedImport>& predict(const Texts& names) {
    EXPECT_FALSE(start().error);
    SearchPath path{.extension_suffixes = {".abi3.so"}, .folders = {*Path::parse("/site")}};
    graph_ = std::make_unique<ImportGraph>(tree, path);
    imports_ = process::predict(*graph_, *process, names, habits_);
    return imports_;
  }

  const PredictedImport& predict_one(const std::string& name) { return predict({name}).front(); }

  Habits habits_;
  std::vector<PredictedImport> imports_;
  std::unique_ptr<ImportGraph> graph_;
};

Texts paths_of(const PredictedImport& import) {
  Texts paths;
  for (const auto& load : import.loads) paths.push_back(load.path);
  return paths;
}

TEST_F(Imports, extension_modules_come_in_the_order_of_execution_with_what_they_need) {
  source("/site/a/__init__.py", "from . import _one\nimport b\nfrom a._two import x\n");
  source("/site/b.py", "import a._three\n");
  add("/site/a/_one.abi3.so", {.needed = {"libx.so.1"}, .rpath = "$ORIGIN/lib"});
  add("/site/a/_two.abi3.so", {.needed = {"libx.so.1"}});
  add("/site/a/_three.abi3.so", {});
  add("/site/a/lib/libx.so.1", {.soname = "libx.so.1"});
  const auto& import = predict_one("a");
  EXPECT_TRUE(import.is_ok) << import.error;
  EXPECT_EQ(paths_of(import), (Texts{"/site/a/_one.abi3.so", "/site/a/lib/libx.so.1",
                                     "/site/a/_three.abi3.so", "/site/a/_two.abi3.so"}));
  EXPECT_EQ(import.loads[0].by, "/site/a/__init__.py:1");
  EXPECT_EQ(import.loads[0].how, How::extension);
  EXPECT_EQ(import.loads[1].by, "/site/a/_one.abi3.so");
  EXPECT_EQ(import.loads[1].how, How::needed);
  EXPECT_EQ(import.loads[2].by, "/site/b.py:1");
}

TEST_F(Imports, an_earlier_import_may_bring_what_a_later_one_needs) {
  source("/site/first.py", "import _first\n");
  source("/site/second.py", "import _second\n");
  add("/site/_first.abi3.so", {.needed = {"libx.so.1"}, .rpath = "/site/lib"});
  add("/site/_second.abi3.so", {.needed = {"libx.so.1"}});
  add("/site/lib/libx.so.1", {.soname = "libx.so.1"});
  EXPECT_TRUE(predict({"first", "second"})[1].is_ok);
  const auto& alone = predict_one("second");
  EXPECT_FALSE(alone.is_ok);
  EXPECT_EQ(alone.error, "ImportError: libx.so.1" + std::string(gone));
  ASSERT_EQ(alone.failures.size(), 1U);
  EXPECT_EQ(alone.failures[0].name, "_second");
  EXPECT_EQ(alone.failures[0].by, "/site/second.py:1");
}

TEST_F(Imports, all_missing_names_are_told_and_the_error_is_of_the_first) {
  add("/site/a.abi3.so", {.needed = {"libx.so.1", "liby.so", "libz.so"}, .rpath = "/site/lib"});
  add("/site/lib/liby.so", {.needed = {"libw.so"}});
  const auto& import = predict_one("a");
  EXPECT_EQ(import.error, "ImportError: libx.so.1" + std::string(gone));
  Texts missing;
  for (const auto& each : import.failures.at(0).missing) missing.push_back(each.name);
  EXPECT_EQ(missing, (Texts{"libx.so.1", "libz.so", "libw.so"}));
  EXPECT_EQ(import.loads.size(), 0U);
}

TEST_F(Imports, what_code_catches_does_not_fail_and_leaves_its_block) {
  source("/site/a.py",
         "try:\n    import broken\n    import left_out\nexcept ImportError:\n    import instead\n"
         "import rest\n");
  source("/site/left_out.py", "import _x\n");
  source("/site/instead.py", "import _y\n");
  source("/site/rest.py", "import _z\n");
  add("/site/broken.abi3.so", {.needed = {"libgone.so"}});
  for (const auto* name : {"_x", "_y", "_z"}) add(std::string("/site/") + name + ".abi3.so", {});
  const auto& import = predict_one("a");
  EXPECT_TRUE(import.is_ok);
  EXPECT_EQ(paths_of(import), (Texts{"/site/_y.abi3.so", "/site/_z.abi3.so"}));
  EXPECT_EQ(import.loads[0].likelihood, Likelihood::conditional);
  EXPECT_EQ(import.loads[1].likelihood, Likelihood::certain);
  ASSERT_EQ(import.failures.size(), 1U);
  EXPECT_TRUE(import.failures[0].is_handled);
}

TEST_F(Imports, a_handler_for_absent_modules_does_not_catch_a_missing_library) {
  source("/site/a.py", "try:\n    import broken\nexcept ModuleNotFoundError:\n    pass\n");
  source("/site/b.py", "try:\n    import absent\nexcept ModuleNotFoundError:\n    pass\n");
  add("/site/broken.abi3.so", {.needed = {"libgone.so"}});
  EXPECT_TRUE(predict_one("b").is_ok);
  EXPECT_FALSE(predict_one("a").failures.at(0).is_handled);
}

TEST_F(Imports, a_condition_that_reading_does_not_decide_makes_no_failure) {
  source("/site/a.py", "import os\nif os.cpu_count() > 1:\n    import broken\n");
  add("/site/broken.abi3.so", {.needed = {"libgone.so"}});
  const auto& import = predict_one("a");
  EXPECT_TRUE(import.is_ok);
  EXPECT_EQ(import.failures.at(0).likelihood, Likelihood::conditional);
}

TEST_F(Imports, libraries_that_code_opens_come_at_their_line_and_serve_what_follows) {
  source("/site/a.py",
         "import ctypes, os\nimport _before\n"
         "ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib', 'libx.so.1'))\n"
         "import _after\n");
  add("/site/_before.abi3.so", {});
  add("/site/_after.abi3.so", {.needed = {"libx.so.1"}});
  add("/site/lib/libx.so.1", {.soname = "libx.so.1"});
  const auto& import = predict_one("a");
  EXPECT_TRUE(import.is_ok) << import.error;
  EXPECT_EQ(paths_of(import),
            (Texts{"/site/_before.abi3.so", "/site/lib/libx.so.1", "/site/_after.abi3.so"}));
  EXPECT_EQ(import.loads[1].how, How::ctypes);
  EXPECT_EQ(import.loads[1].by, "/site/a.py:3");
}

TEST_F(Imports, a_library_that_code_cannot_open_is_an_os_error_unless_it_is_caught) {
  source("/site/a.py", "import ctypes\nctypes.CDLL('libgone.so')\n");
  source("/site/b.py",
         "import ctypes\ntry:\n    ctypes.CDLL('libgone.so')\nexcept OSError:\n    pass\n");
  EXPECT_EQ(predict_one("a").error, "OSError: libgone.so" + std::string(gone));
  EXPECT_TRUE(predict_one("b").is_ok);
}

TEST_F(Imports, a_framework_preloads_what_its_table_says_until_something_is_absent) {
  habits_ = *Habits::parse(
      "t | 01 | libdeps.so | preload | | blas  | libblas.so.*[0-9] | required | s | d\n"
      "t | 02 | libdeps.so | preload | | gone  | libgone.so.*[0-9] | required | s | d\n"
      "t | 03 | libdeps.so | preload | | fft   | libfft.so.*[0-9]  | required | s | d\n",
      "libblas.so.3 | libpart.so | s | d\n");
  source("/site/t/__init__.py",
         "import ctypes  # preload\nctypes.CDLL(__path__[0] + '/libdeps.so')\nimport t._c\n");
  add("/site/t/libdeps.so", {.needed = {"libcudart.so.12"}, .rpath = "/site/nvidia/rt/lib"});
  add("/site/nvidia/rt/lib/libcudart.so.12", {});
  add("/site/nvidia/blas/lib/libblas.so.3", {.soname = "libblas.so.3", .runpath = "$ORIGIN"});
  add("/site/nvidia/blas/lib/libpart.so", {});
  add("/site/nvidia/fft/lib/libfft.so.1", {});
  add("/site/t/_c.abi3.so", {.needed = {"libblas.so.3"}});
  const auto& import = predict_one("t");
  EXPECT_EQ(paths_of(import), (Texts{"/site/t/libdeps.so", "/site/nvidia/rt/lib/libcudart.so.12",
                                     "/site/nvidia/blas/lib/libblas.so.3", "/site/t/_c.abi3.so",
                                     "/site/nvidia/blas/lib/libpart.so"}));
  EXPECT_EQ(import.loads[4].when, When::first_use);
  EXPECT_EQ(import.loads[4].likelihood, Likelihood::possible);
  EXPECT_EQ(import.loads[4].by, "/site/nvidia/blas/lib/libblas.so.3");
}

TEST_F(Imports, modules_that_native_code_names_are_possible) {
  source("/site/pk/__init__.py", "import pk._a\n");
  source("/site/pk/other.py", "import pk._b\n");
  add("/site/pk/_a.abi3.so", {.soname = "xpk.otherpk._kinsman"});
  add("/site/pk/_b.abi3.so", {});
  add("/site/pk/_kinsman.abi3.so", {});
  const auto& import = predict_one("pk");
  EXPECT_EQ(paths_of(import),
            (Texts{"/site/pk/_a.abi3.so", "/site/pk/_b.abi3.so", "/site/pk/_kinsman.abi3.so"}));
  EXPECT_EQ(import.loads[1].likelihood, Likelihood::possible);
  EXPECT_EQ(import.loads[2].likelihood, Likelihood::conditional);
}

TEST_F(Imports, modules_that_import_each_other_end) {
  source("/site/a.py", "import b\n");
  source("/site/b.py", "import a\nimport _x\n");
  add("/site/_x.abi3.so", {});
  EXPECT_EQ(paths_of(predict_one("a")), (Texts{"/site/_x.abi3.so"}));
}

TEST_F(Imports, an_absent_module_is_named_as_python_does) {
  source("/site/a.py", "import nowhere.b\n");
  source("/site/plain.py", "");
  source("/site/b.py", "import plain.c\n");
  EXPECT_EQ(predict_one("a").error, "ModuleNotFoundError: No module named 'nowhere'");
  EXPECT_EQ(predict_one("b").error,
            "ModuleNotFoundError: No module named 'plain.c'; 'plain' is not a package");
  EXPECT_EQ(predict_one("x.y").error, "ModuleNotFoundError: No module named 'x'");
}

}  // namespace
}  // namespace whyso::process
