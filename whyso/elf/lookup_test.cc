// SPDX-License-Identifier: Apache-2.0
// Lookup of names in one file, compared with what the real loader finds in it.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "whyso/elf/image.h"

namespace whyso::elf {
namespace {

TEST(Hash, is_that_of_the_specifications) {
  EXPECT_EQ(gnu_hash(""), 0x00001505U);
  EXPECT_EQ(gnu_hash("printf"), 0x156b2bb8U);
  EXPECT_EQ(gnu_hash("exit"), 0x7c967e3fU);
  EXPECT_EQ(gnu_hash("syscall"), 0xbac212a0U);
  EXPECT_EQ(sysv_hash(""), 0U);
  EXPECT_EQ(sysv_hash("printf"), 0x077905a6U);
  EXPECT_EQ(sysv_hash("exit"), 0x0006cf04U);
  EXPECT_EQ(sysv_hash("GLIBC_2.2.5"), 0x09691a75U);
}

// A library that is loaded into this process and read from its file.
class SymbolLookup : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string path = testing::TempDir() + "whyso_lookup_" + std::to_string(getpid());
    std::ofstream(path + ".c")
        << "int a1(void){return 1;} int a2(void){return 2;} int only(void){return 3;}\n"
           "int plain(void){return 4;} int hidden(void){return 5;} int x1(void){return 6;}\n"
           "int x2(void){return 7;} extern int away(void); int data = 8; __thread int local = 9;\n"
           "int calls(void){return away() + local;}\n"
           "__asm__(\".symver a1,a@V_1\"); __asm__(\".symver a2,a@@V_2\");\n"
           "__asm__(\".symver hidden,gone@V_1\");\n"
           "__asm__(\".symver x1,x@V_1\"); __asm__(\".symver x2,x@V_2\");\n";
    std::ofstream(path + ".map") << "V_1 { global: a; gone; x; only; };\n"
                                    "V_2 { global: a; x; data; calls; local; } V_1;\n"
                                    "V_3 { local: a1; a2; hidden; x1; x2; } V_2;\n";
    const std::string command =
        fmt::format("gcc -shared -fPIC -nostdlib {0}.c {1} -o {0}.so 2>/dev/null", path,
                    fmt::format(fmt::runtime(GetParam()), path + ".map"));
    const bool is_built = std::system(command.c_str()) == 0;
    if (is_built) {
      std::ifstream file(path + ".so", std::ios::binary);
      blob_ = Blob(std::string(std::istreambuf_iterator<char>(file), {}));
      handle_ = dlopen((path + ".so").c_str(), RTLD_LAZY);
    }
    for (const char* suffix : {".c", ".map", ".so"}) std::filesystem::remove(path + suffix);
    if (!is_built) GTEST_SKIP() << "needs gcc";
    ASSERT_NE(handle_, nullptr) << dlerror();
  }
  void TearDown() override {
    if (handle_ != nullptr) dlclose(handle_);
  }

  [[nodiscard]] SymbolTable table() const {
    return ElfImage::parse(blob_).value().symbols().value();
  }

  [[nodiscard]] std::optional<std::uint64_t> ours(const SymbolRequest& request) const {
    const auto symbol = table().find(request).value();
    if (!symbol) return std::nullopt;
    return symbol->value;
  }

  [[nodiscard]] std::optional<std::uint64_t> theirs(const char* name, const char* version) const {
    dlerror();
    const void* found = version == nullptr ? dlsym(handle_, name) : dlvsym(handle_, name, version);
    if (dlerror() != nullptr) return std::nullopt;
    // The symbols that name versions are absolute and 0.
    if (found == nullptr) return 0;
    return reinterpret_cast<std::uintptr_t>(found) - static_cast<const link_map*>(handle_)->l_addr;
  }

  Blob blob_;
  void* handle_ = nullptr;
};

TEST_P(SymbolLookup, finds_what_dlsym_and_dlvsym_find) {
  int found = 0;
  for (const char* name : {"a", "x", "only", "plain", "gone", "hidden", "data", "calls", "away",
                           "a1", "V_1", "", "no_such_name"}) {
    EXPECT_EQ(ours({.name = name, .takes_newest = true}), theirs(name, nullptr)) << name;
    for (const char* version : {"V_1", "V_2", "V_3", "V_9"}) {
      const SymbolRequest request{.name = name, .version = version, .version_is_hidden = true};
      EXPECT_EQ(ours(request), theirs(name, version)) << name << "@" << version;
      found += ours(request).has_value() ? 1 : 0;
    }
  }
  EXPECT_GE(found, 8);
}

TEST_P(SymbolLookup, finds_every_defined_symbol_by_its_own_name_and_version) {
  const SymbolTable symbols = table();
  std::size_t defined = 0;
  const auto all = symbols.all().value();
  for (const Symbol& symbol : all) {
    if (symbol.is_undefined() || symbol.binding == SymbolBinding::local) continue;
    SymbolRequest request{.name = symbol.name};
    if (symbol.version) request.version = symbol.version->name;
    EXPECT_EQ(symbols.find(request).value(), symbol) << symbol.name;
    ++defined;
  }
  EXPECT_GE(defined, 5U);
}

constexpr const char* all_variants[] = {"-Wl,--hash-style=gnu,--version-script={}",
                                        "-Wl,--hash-style=sysv,--version-script={}",
                                        "-Wl,--hash-style=both,--version-script={}"};
INSTANTIATE_TEST_SUITE_P(HashStyles, SymbolLookup, testing::ValuesIn(all_variants));

}  // namespace
}  // namespace whyso::elf
