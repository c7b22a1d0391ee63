// SPDX-License-Identifier: Apache-2.0
// Symbols of libraries that gcc makes here, in a tree in memory. Whether the model agrees with
// ld.so is for tests/loader; what is tested here is what the outside is told, and other releases of
// glibc.
#include "whyso/loader/unresolved.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "whyso/loader/world_test.h"

namespace whyso::loader {
namespace {

class Binding : public WorldTest {
 protected:
  Binding() {
    context.symbols = SymbolWork::all;
    context.failure = Failure::go_on;
    add("/app/prog", {.needed = {}});
  }

  void SetUp() override {
    if (std::system("gcc --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "needs gcc";
  }

  /// A library at /lib/NAME without libc.
  void make(const std::string& name, const std::string& source, const std::string& flags = "") {
    const std::string base = testing::TempDir() + "whyso_bind_" + std::to_string(getpid());
    std::ofstream(base + ".c") << source;
    const std::string command = "gcc -shared -fPIC -nostdlib -O0 -Wl,-z,lazy -Wl,--no-as-needed " +
                                ("-Wl,-soname," + name) + " " + base + ".c " + flags + " -o " +
                                base + ".so 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(base + ".so", std::ios::binary);
    tree.add_file("/lib/" + name, std::string(std::istreambuf_iterator<char>(file), {}));
    std::filesystem::remove(base + ".c");
    std::filesystem::remove(base + ".so");
  }

  Outcome open_with(std::string name, OpenFlags flags) {
    return process->open({.name = std::move(name), .flags = flags});
  }

  /// "SYMBOL load|call|none" of what nothing defines.
  [[nodiscard]] Texts unresolved(const Outcome& outcome) const {
    Texts told;
    for (const Unresolved& one : process->unresolved(outcome.mapped)) {
      const bool at_call = one.time == BindingTime::at_call;
      told.push_back(one.symbol + (one.is_weak ? " none" : at_call ? " call" : " load"));
    }
    return told;
  }
};

constexpr std::string_view calls_away = "int away(void); int user(void){return away();}";

TEST_F(Binding, tells_a_missing_function_that_stops_the_load) {
  make("liba.so", std::string(calls_away));
  start();
  const Outcome outcome = open("liba.so");
  EXPECT_EQ(text(outcome.error, Speaker::dlopen), "/lib/liba.so: undefined symbol: away");
  EXPECT_EQ(unresolved(outcome), Texts{"away load"});
  const auto all = process->unresolved(outcome.mapped);
  EXPECT_EQ(all.front().kind, elf::RelocationKind::call);
  EXPECT_EQ(all.front().error_text(), "undefined symbol: away");
  EXPECT_TRUE(all.front().stops_load());
}

TEST_F(Binding, tells_a_missing_function_that_only_a_call_will_notice) {
  make("liba.so", std::string(calls_away));
  start();
  const Outcome outcome = open_with("liba.so", {.lazy = true});
  EXPECT_FALSE(outcome.error);
  EXPECT_EQ(unresolved(outcome), Texts{"away call"});
}

TEST_F(Binding, stops_at_missing_data_however_it_is_opened) {
  make("liba.so", "extern int away; int* user(void){return &away;}");
  start();
  const Outcome outcome = open_with("liba.so", {.lazy = true});
  EXPECT_EQ(text(outcome.error, Speaker::dlopen), "/lib/liba.so: undefined symbol: away");
  EXPECT_EQ(process->unresolved(outcome.mapped).front().kind, elf::RelocationKind::data_pointer);
}

TEST_F(Binding, lets_weak_symbols_be_absent) {
  make("liba.so", "__attribute__((weak)) int away(void); int user(void){return away != 0;}");
  start();
  const Outcome outcome = open("liba.so");
  EXPECT_FALSE(outcome.error);
  EXPECT_TRUE(unresolved(outcome).empty());
  make("libb.so",
       "__attribute__((weak)) int away(void); int gone(void);"
       "int user(void){return away != 0 && gone();}");
  EXPECT_EQ(unresolved(open("libb.so")), (Texts{"away none", "gone load"}));
}

TEST_F(Binding, finds_symbols_only_in_the_scope) {
  make("libd.so", "int away(void){return 1;}");
  make("liba.so", std::string(calls_away));
  start();
  ASSERT_FALSE(open("libd.so").error);
  EXPECT_TRUE(open("liba.so").error);
  start();
  ASSERT_FALSE(open_with("libd.so", {.now = true, .global = true}).error);
  const Outcome outcome = open("liba.so");
  EXPECT_FALSE(outcome.error);
  EXPECT_EQ(process->scope_of(*outcome.root).size(), 3U);  // the program, libd.so, itself
}

TEST_F(Binding, keeps_what_others_are_bound_to) {
  context.failure = Failure::stop;
  make("libd.so", "int away(void){return 1;}");
  make("liba.so", std::string(calls_away));
  start();
  const auto definer = open_with("libd.so", {.now = true, .global = true}).root;
  const auto user = open("liba.so").root;
  EXPECT_TRUE(process->close(*definer).empty());
  EXPECT_EQ(process->close(*user).size(), 2U);
}

TEST_F(Binding, agrees_with_the_full_work_where_only_what_is_missing_is_asked_for) {
  make("libd.so", "int one(void){return 1;} int two;");
  make("liba.so", "int one(void); int away(void); int user(void){return one() + away();}");
  for (const SymbolWork work : {SymbolWork::missing, SymbolWork::all, SymbolWork::record}) {
    context.symbols = work;
    start();
    ASSERT_FALSE(open_with("libd.so", {.now = true, .global = true}).error);
    EXPECT_EQ(text(open("liba.so").error, Speaker::dlopen), "/lib/liba.so: undefined symbol: away");
  }
}

TEST_F(Binding, names_the_version_and_where_it_was_to_be) {
  const std::string map = testing::TempDir() + "whyso_bind_map";
  std::ofstream(map) << "V_1 { global: away; local: *; };";
  make("libd.so", "int away(void){return 1;}", "-Wl,--version-script=" + map);
  const std::string linked = testing::TempDir() + "whyso_bind_d.so";
  std::ofstream(linked, std::ios::binary)
      << tree.read(*Path::parse("/lib/libd.so")).value().blob.text();
  make("liba.so", std::string(calls_away), linked);
  make("libd.so", "int other(void){return 1;}",
       "-Wl,--defsym=unused=0 -Wl,--version-script=" + map);
  start();
  const Outcome outcome = open("liba.so");
  const auto all = process->unresolved(outcome.mapped);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().error_text(), "undefined symbol: away, version V_1");
  EXPECT_EQ(all.front().version_file, "libd.so");
  std::filesystem::remove(map);
  std::filesystem::remove(linked);
}

TEST_F(Binding, refuses_an_executable_stack_in_a_dlopen_since_glibc_2_41) {
  make("liba.so", "int x;", "-Wl,-z,execstack");
  make("prog", "int y;", "-Wl,-z,noexecstack");
  tree.add_file("/app/prog", tree.read(*Path::parse("/lib/prog")).value().blob.text());
  start();
  EXPECT_FALSE(open("liba.so").error);
  rules.glibc = {2, 41};
  start();
  EXPECT_EQ(text(open("liba.so").error, Speaker::dlopen),
            "liba.so: cannot enable executable stack as shared object requires: Invalid argument");
}

}  // namespace
}  // namespace whyso::loader
