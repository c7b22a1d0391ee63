// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/interpreter.h"

#include <gtest/gtest.h>

#include "whyso/environment/builtin_modules.h"
#include "whyso/environment/small_world.h"

namespace whyso::environment {
namespace {

using tree::MemoryTree;

Interpreter interpreter_at(const MemoryTree& tree, std::string_view prefix) {
  return read_interpreter(tree, {.prefix = path_of(prefix)});
}

TEST(Interpreter, of_a_virtual_environment_is_that_of_its_base) {
  MemoryTree tree;
  add_python(tree, "/opt/py");
  add_venv(tree, "/env", "/opt/py", "include-system-site-packages = false\nuv = 0.5.1\n");
  const Interpreter python = interpreter_at(tree, "/env");
  EXPECT_EQ(python.form, EnvironmentForm::virtual_environment);
  EXPECT_EQ(python.title(), "CPython 3.11.7");
  EXPECT_EQ(python.version_source, VersionSource::patchlevel_header);
  EXPECT_EQ(python.prefix.text(), "/env");
  EXPECT_EQ(python.base_prefix.text(), "/opt/py");
  EXPECT_EQ(python.executable->text(), "/env/bin/python");
  EXPECT_EQ(python.real_executable->text(), "/opt/py/bin/python3.11");
  EXPECT_EQ(python.standard_library->text(), "/opt/py/lib/python3.11");
  EXPECT_EQ(python.lib_dynload->text(), "/opt/py/lib/python3.11/lib-dynload");
  EXPECT_EQ(python.creator, "uv 0.5.1");
  EXPECT_FALSE(python.includes_system_packages);
  EXPECT_FALSE(python.is_base_missing);
  EXPECT_EQ(python.extension_suffixes,
            (std::vector<std::string>{".cpython-311-x86_64-linux-gnu.so", ".abi3.so", ".so"}));
}

TEST(Interpreter, whose_base_is_gone_is_still_named_by_its_settings) {
  MemoryTree tree;
  add_venv(tree, "/env", "/gone/py");
  const Interpreter python = interpreter_at(tree, "/env");
  EXPECT_TRUE(python.is_base_missing);
  EXPECT_EQ(python.title(), "CPython 3.11.7");
  EXPECT_EQ(python.version_source, VersionSource::pyvenv_cfg);
  EXPECT_EQ(python.base_prefix.text(), "/gone/py");
  EXPECT_TRUE(python.executable.has_value());
  EXPECT_FALSE(python.real_executable.has_value());
  EXPECT_FALSE(python.standard_library.has_value());
}

TEST(Interpreter, of_a_merged_root_belongs_to_usr) {
  MemoryTree tree;
  add_python(tree, "/usr");
  tree.add_link("/bin", "usr/bin");
  tree.add_link("/lib", "usr/lib");
  tree.add_file("/usr/lib/python3.11/EXTERNALLY-MANAGED", "");
  const Interpreter python =
      read_interpreter(tree, {.prefix = Path(), .executable = path_of("/bin/python3")});
  EXPECT_EQ(python.form, EnvironmentForm::installation);
  EXPECT_EQ(python.prefix.text(), "/usr");
  EXPECT_EQ(python.real_executable->text(), "/usr/bin/python3.11");
  EXPECT_EQ(python.externally_managed->text(), "/usr/lib/python3.11/EXTERNALLY-MANAGED");
}

TEST(Interpreter, of_an_environment_is_not_externally_managed) {
  MemoryTree tree;
  add_python(tree, "/usr");
  tree.add_file("/usr/lib/python3.11/EXTERNALLY-MANAGED", "");
  add_venv(tree, "/env", "/usr");
  EXPECT_FALSE(interpreter_at(tree, "/env").externally_managed.has_value());
}

TEST(Interpreter, of_several_beside_each_other_is_the_one_that_the_link_names) {
  MemoryTree tree;
  add_python(tree, "/usr");
  tree.add_file("/usr/lib/python3.12/os.py", "");
  tree.add_file("/usr/include/python3.12/patchlevel.h", "#define PY_VERSION \"3.12.1\"\n");
  EXPECT_EQ(interpreter_at(tree, "/usr").title(), "CPython 3.11.7");
}

TEST(Interpreter, without_headers_is_read_off_the_binary) {
  MemoryTree tree;
  add_python(tree, "/usr");
  tree.add_file("/usr/include/python3.11/patchlevel.h", "");
  tree.add_file("/usr/bin/python3.11",
                std::string_view("\0 3.11.x\0X3.11.9\0\0003.11.\0\0003.11.2+\0PyInit_time\0", 45));
  const Interpreter python = interpreter_at(tree, "/usr");
  EXPECT_EQ(python.title(), "CPython 3.11.2+");
  EXPECT_EQ(python.version_source, VersionSource::binary);
  EXPECT_EQ(read_builtin_modules(tree, python).value(),
            (std::vector<std::string>{"_warnings", "builtins", "marshal", "sys", "time"}));
}

TEST(Interpreter, of_conda_is_its_own_base) {
  MemoryTree tree;
  add_python(tree, "/conda");
  tree.add_folder("/conda/conda-meta");
  const Interpreter python = interpreter_at(tree, "/conda");
  EXPECT_EQ(python.form, EnvironmentForm::conda);
  EXPECT_EQ(python.base_prefix.text(), "/conda");
  EXPECT_EQ(python.title(), "CPython 3.11.7");
}

TEST(Interpreter, of_an_old_virtualenv_is_found_without_settings) {
  MemoryTree tree;
  add_python(tree, "/opt/py");
  tree.add_file("/env/bin/python3.11", "ELF", 0755);
  tree.add_link("/env/bin/python", "python3.11");
  tree.add_file("/env/lib/python3.11/orig-prefix.txt", "/opt/py\n");
  tree.add_file("/env/lib/python3.11/no-global-site-packages.txt", "");
  const Interpreter python = interpreter_at(tree, "/env");
  EXPECT_EQ(python.form, EnvironmentForm::virtual_environment);
  EXPECT_EQ(python.base_prefix.text(), "/opt/py");
  EXPECT_FALSE(python.includes_system_packages);
}

TEST(Interpreter, with_an_own_lib64_has_platform_packages_there) {
  MemoryTree tree;
  add_python(tree, "/usr");
  tree.add_file("/usr/lib64/python3.11/os.py", "");
  tree.add_folder("/usr/lib64/python3.11/lib-dynload");
  EXPECT_EQ(interpreter_at(tree, "/usr").library_folder, "lib64");
  EXPECT_EQ(interpreter_at(tree, "/usr").standard_library->text(), "/usr/lib64/python3.11");
  MemoryTree linked;
  add_python(linked, "/usr");
  linked.add_link("/usr/lib64", "lib");
  EXPECT_EQ(interpreter_at(linked, "/usr").library_folder, "lib");
  EXPECT_EQ(interpreter_at(linked, "/usr").standard_library->text(), "/usr/lib/python3.11");
}

TEST(Interpreter, of_pypy_is_told_apart) {
  MemoryTree tree;
  tree.add_file("/pypy/bin/pypy3.10", "ELF", 0755);
  tree.add_link("/pypy/bin/python3", "pypy3.10");
  tree.add_file("/pypy/lib/pypy3.10/os.py", "");
  tree.add_file("/pypy/include/pypy3.10/patchlevel.h",
                "#define PY_VERSION \"3.10.14\"\n#define PYPY_VERSION \"7.3.17\"\n");
  EXPECT_EQ(interpreter_at(tree, "/pypy").title(), "PyPy 3.10.14");
}

TEST(LibraryName, is_that_of_a_folder_and_nothing_else) {
  EXPECT_EQ(find_library_name("python3.13t")->version, "3.13");
  EXPECT_EQ(find_library_name("pypy3.10")->implementation, "PyPy");
  for (std::string_view name : {"python", "python3", "python3.", "python3.x", "python311",
                                "ruby3.1", "python3.11-config"}) {
    EXPECT_FALSE(find_library_name(name).has_value()) << name;
  }
}

}  // namespace
}  // namespace whyso::environment
