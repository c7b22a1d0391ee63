// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/source_words.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace whyso::process {
namespace {

TEST(SourceWords, a_word_is_a_whole_identifier) {
  EXPECT_TRUE(has_word("import b", "b"));
  EXPECT_FALSE(has_word("import bb, _b, b1, ab", "b"));
  EXPECT_FALSE(has_word("", "b"));
  EXPECT_FALSE(has_word("b", ""));
}

TEST(SourceWords, what_binds_a_name_is_seen) {
  for (const std::string_view text : {"x = 1",
                                      "x: int = 1",
                                      "x=1",
                                      "a, x = b",
                                      "x, a = b",
                                      "(a, x) = b",
                                      "x += 1",
                                      "x //= 2",
                                      "def x():",
                                      "class x:",
                                      "class x(A):",
                                      "for x in y:",
                                      "with a as x:",
                                      "import x",
                                      "import a as x",
                                      "from a import x",
                                      "from a import b, x",
                                      "from a import (\n  b,\n  x\n)",
                                      "from a import (x)",
                                      "x \\\n = 1",
                                      "global x",
                                      "a = x = 1",
                                      "async def x():"}) {
    EXPECT_TRUE(may_bind(text, "x")) << text;
  }
}

TEST(SourceWords, what_only_uses_a_name_does_not_bind_it) {
  for (const std::string_view text :
       {"x.f()", "y.x = 1", "from .x import y", "from . x import y", "x == 1", "'x'", "['x', 'y']",
        "\"x\"", "x()", "x + 1", "", "xx = 1", "import a.x"}) {
    EXPECT_FALSE(may_bind(text, "x")) << text;
  }
}

TEST(SourceWords, code_that_answers_for_attributes_is_found_with_its_place) {
  const std::string_view lazy = "import a\ndef __getattr__(name):\n  pass";
  EXPECT_EQ(find_own_attributes(lazy), lazy.find("def"));
  const std::string_view method = "class A:\n  def __getattr__(self, name): pass";
  EXPECT_EQ(find_own_attributes(method), method.size());
  EXPECT_EQ(find_own_attributes("a = 1\nglobals()['b'] = 2"), 6U);
}

TEST(SourceWords, tricks_with_the_search_are_found) {
  EXPECT_TRUE(find_tricks("sys.modules['a'] = b").makes_modules);
  EXPECT_TRUE(find_tricks("sys.meta_path.insert(0, F())").makes_modules);
  EXPECT_TRUE(find_tricks("from sys import modules").makes_modules);
  EXPECT_TRUE(find_tricks("sys.path.insert(0, p)").changes_path);
  EXPECT_TRUE(find_tricks("__path__ = extend_path(__path__, __name__)").changes_package_path);
  EXPECT_FALSE(find_tricks("for p in sys.path: pass").changes_path);
  EXPECT_FALSE(find_tricks("import os").makes_modules);
}

TEST(SourceWords, a_name_before_a_quote_is_found) {
  EXPECT_TRUE(has_word_before_quote("f('six.moves')", "moves"));
  EXPECT_TRUE(has_word_before_quote("\"moves\"", "moves"));
  EXPECT_FALSE(has_word_before_quote("import moves", "moves"));
  EXPECT_FALSE(has_word_before_quote("'removes'", "moves"));
}

}  // namespace
}  // namespace whyso::process
