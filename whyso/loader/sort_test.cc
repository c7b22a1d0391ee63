// SPDX-License-Identifier: Apache-2.0
// The order of initialisation; what is expected here is what ld.so does with files of this shape.
#include "whyso/loader/sort.h"

#include "whyso/loader/world_test.h"

namespace whyso::loader {
namespace {

class Sorting : public WorldTest {
 protected:
  void add_library(const std::string& name, const Texts& needed) {
    add("/lib/" + name, {.soname = name, .needed = needed});
  }

  [[nodiscard]] Texts initialized() const {
    Texts names;
    for (const Id<Object> id : process->initialized()) {
      const std::string& path = loader->files().text(process->objects()[id].path);
      names.push_back(path.substr(path.rfind('/') + 1));
    }
    return names;
  }
};

TEST_F(Sorting, puts_what_is_needed_before_what_needs_it) {
  add("/app/prog", {.needed = {"a", "b"}});
  add_library("a", {"c"});
  add_library("b", {"a"});
  add_library("c", {});
  for (const int minor : {31, 36, 40}) {
    rules.glibc = {2, minor};
    ASSERT_FALSE(start().error);
    EXPECT_EQ(initialized(), (Texts{"c", "a", "b"})) << minor;
  }
}

TEST_F(Sorting, leaves_the_root_of_a_circle_for_the_end) {
  add("/app/prog", {});
  add_library("a", {"b"});
  add_library("b", {"c"});
  add_library("c", {"a"});
  for (const int minor : {31, 36, 40}) {
    rules.glibc = {2, minor};
    ASSERT_FALSE(start().error);
    ASSERT_FALSE(open("a").error);
    EXPECT_EQ(initialized().size(), 3U);
    EXPECT_EQ(initialized().back(), "a") << minor;
  }
}

TEST_F(Sorting, takes_an_object_that_is_marked_so_first) {
  add("/app/prog", {.needed = {"a", "b"}});
  add_library("a", {});
  add("/lib/b", {.soname = "b", .needed = {"a"}, .flags_1 = 0x20});
  ASSERT_FALSE(start().error);
  EXPECT_EQ(initialized(), (Texts{"b", "a"}));
}

TEST_F(Sorting, is_quick_with_a_long_chain) {
  Texts first{"n0"};
  add("/app/prog", {.needed = first});
  constexpr int length = 3000;
  for (int i = 0; i < length; ++i) {
    add_library("n" + std::to_string(i),
                i + 1 < length ? Texts{"n" + std::to_string(i + 1)} : Texts{});
  }
  ASSERT_FALSE(start().error);
  EXPECT_EQ(initialized().front(), "n2999");
  EXPECT_EQ(initialized().back(), "n0");
}

}  // namespace
}  // namespace whyso::loader
