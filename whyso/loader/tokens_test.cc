// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/tokens.h"

#include <gtest/gtest.h>

namespace whyso::loader {
namespace {

using Texts = std::vector<std::string>;

TokenValues values() {
  return {.origin = "/app/bin", .library = "lib/x86_64-linux-gnu", .platform = "haswell"};
}

TEST(Tokens, known_ones_are_replaced_with_and_without_braces) {
  EXPECT_EQ(expand_tokens("$ORIGIN/../lib", values()), "/app/bin/../lib");
  EXPECT_EQ(expand_tokens("${ORIGIN}/x", values()), "/app/bin/x");
  EXPECT_EQ(expand_tokens("/a/$LIB/${PLATFORM}", values()), "/a/lib/x86_64-linux-gnu/haswell");
  EXPECT_EQ(expand_tokens("$$ORIGIN", values()), "$/app/bin");
}

TEST(Tokens, a_longer_word_and_an_unknown_one_stay_as_they_are) {
  for (const char* text : {"$ORIGIN_d", "$ORIGINAL/d", "${ORIGIN/d", "$origin/d", "$FOO", "$/d"}) {
    EXPECT_EQ(expand_tokens(text, values()), text);
    EXPECT_FALSE(has_token(text)) << text;
  }
  EXPECT_TRUE(has_token("/x/$ORIGIN-d"));
}

TEST(Tokens, a_known_one_without_a_value_empties_the_whole_text) {
  TokenValues nowhere = values();
  nowhere.origin.reset();
  EXPECT_EQ(expand_tokens("/a/$ORIGIN/b", nowhere), "");
}

TEST(Tokens, secure_mode_wants_the_program_in_a_trusted_folder) {
  TokenValues secure = values();
  secure.is_secure = true;
  EXPECT_EQ(expand_tokens("$ORIGIN/d", secure), "/app/bin/d");
  EXPECT_EQ(expand_tokens("/x/$ORIGIN", secure), "");
  secure.is_program = true;
  secure.trusted = {"/usr/lib/"};
  EXPECT_EQ(expand_tokens("$ORIGIN/d", secure), "");
  secure.origin = "/usr/lib/app";
  EXPECT_EQ(expand_tokens("$ORIGIN/../x", secure), "/usr/lib/app/../x");
  EXPECT_EQ(expand_tokens("$ORIGIN/../../x", secure), "");
}

TEST(PathLists, an_empty_element_is_the_current_directory) {
  EXPECT_EQ(directories_of(":/a", ":", values()), (Texts{"", "/a/"}));
  EXPECT_EQ(directories_of("/a:", ":", values()), (Texts{"/a/", ""}));
  EXPECT_EQ(directories_of("/a::/b", ":", values()), (Texts{"/a/", "", "/b/"}));
  EXPECT_EQ(directories_of(":", ":", values()), (Texts{""}));
}

TEST(PathLists, slashes_at_the_end_and_repetitions_are_dropped) {
  EXPECT_EQ(directories_of("/a//:/b:/a:/", ":", values()), (Texts{"/a/", "/b/", "/"}));
}

TEST(PathLists, semicolons_part_only_the_variable) {
  EXPECT_EQ(directories_of("/a;/b", ":;", values()), (Texts{"/a/", "/b/"}));
  EXPECT_EQ(directories_of("/a;/b", ":", values()), (Texts{"/a;/b/"}));
}

TEST(PathLists, an_element_that_expands_to_nothing_is_no_directory) {
  TokenValues nowhere = values();
  nowhere.origin.reset();
  EXPECT_EQ(directories_of("$ORIGIN:/a", ":", nowhere), (Texts{"/a/"}));
}

TEST(Origin, is_the_folder_of_the_path_as_it_is_written) {
  EXPECT_EQ(origin_of("/a/../b/libx.so", "/w"), "/a/../b");
  EXPECT_EQ(origin_of("./l/libx.so", "/w"), "/w/./l");
  EXPECT_EQ(origin_of("libx.so", "/"), "/");
  EXPECT_EQ(origin_of("/libx.so", "/w"), "/");
}

}  // namespace
}  // namespace whyso::loader
