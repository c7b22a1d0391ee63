// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/page.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>

#include "whyso/base/text.h"

namespace whyso::report {
namespace {

using Commands = std::vector<std::vector<std::string>>;

std::string said_by_shell(const std::string& text) {
  FILE* pipe = popen(("bash -c " + shell_word(text)).c_str(), "r");
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  pclose(pipe);
  return said;
}

std::string joined(const std::vector<std::string>& lines) { return join(lines, "\n"); }

TEST(Page, text_is_broken_at_spaces_and_never_within_backticks) {
  EXPECT_EQ(wrap("one two three", 7, 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("run `import torch` now", 10, 10),
            (std::vector<std::string>{"run", "`import torch`", "now"}));
  EXPECT_EQ(wrap("a lone ` does not quote", 8, 8),
            (std::vector<std::string>{"a lone `", "does not", "quote"}));
}

TEST(Page, a_word_longer_than_the_line_stays_whole) {
  EXPECT_EQ(wrap("see /a/very/long/path here", 8, 8),
            (std::vector<std::string>{"see", "/a/very/long/path", "here"}));
}

TEST(Page, a_shell_reads_a_wrapped_command_as_it_was) {
  const Commands commands = {
      {"printf", "[%s]", "a b", "it's", "$HOME", "", "x\ny", "\xff", "\\x41"}};
  for (const std::size_t width : {12U, 20U, 33U, 200U}) {
    EXPECT_EQ(said_by_shell(joined(command_lines(commands, width, false))),
              "[a b][it's][$HOME][][x\ny][\xff][\\x41]")
        << width;
  }
}

TEST(Page, a_shell_runs_several_commands_in_order_and_stops_at_the_first_that_fails) {
  EXPECT_EQ(said_by_shell(joined(command_lines(Commands{{"echo", "1"}, {"echo", "2"}}, 9, false))),
            "1\n2\n");
  EXPECT_EQ(said_by_shell(joined(command_lines(Commands{{"false"}, {"echo", "2"}}, 80, false))),
            "");
}

TEST(Page, each_command_begins_a_line) {
  EXPECT_EQ(command_lines(Commands{{"pip", "uninstall", "a"}, {"pip", "install", "b"}}, 80, false),
            (std::vector<std::string>{"pip uninstall a &&", "pip install b"}));
}

TEST(Page, lines_of_a_command_keep_to_the_width) {
  const Commands commands = {{"uv", "pip", "install", "--reinstall", "--no-deps",
                              "nvidia-cudnn-cu12==9.10.2.21", "nvidia-nccl-cu12==2.27.5"}};
  EXPECT_EQ(command_lines(commands, 60, false),
            (std::vector<std::string>{"uv pip install --reinstall --no-deps \\",
                                      "  nvidia-cudnn-cu12==9.10.2.21 nvidia-nccl-cu12==2.27.5"}));
}

TEST(Page, a_table_that_does_not_fit_is_folded) {
  const std::vector<std::string> header = {"needed by", "library"};
  const Commands rows = {{"torch/lib/libtorch_cuda.so", "libcudnn.so.9"}};
  Page wide({.width = 50});
  wide.table(2, header, rows);
  EXPECT_EQ(std::move(wide).text(),
            "  needed by                   library\n"
            "  torch/lib/libtorch_cuda.so  libcudnn.so.9\n");
  Page narrow({.width = 40});
  narrow.table(2, header, rows);
  EXPECT_EQ(std::move(narrow).text(),
            "  needed by\n"
            "    library\n"
            "  torch/lib/libtorch_cuda.so\n"
            "    libcudnn.so.9\n");
}

TEST(Page, a_row_with_too_few_cells_is_filled_up) {
  Page page({.width = 80});
  page.table(0, std::vector<std::string>{"a", "b"}, Commands{{"1"}, {"1", "2", "3"}});
  EXPECT_EQ(std::move(page).text(), "a  b\n1\n1  2\n");
}

TEST(Page, escape_sequences_of_foreign_text_do_not_reach_the_screen) {
  Page page({.width = 80});
  page.labelled({.text = "who"}, "a\x1b[31mb");
  page.paragraph(0, "x\ny");
  page.table(0, std::vector<std::string>{"h"}, Commands{{"\x1b]0;title\x07"}});
  const std::string text = std::move(page).text();
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_NE(text.find("a\\x1b[31mb"), std::string::npos);
}

}  // namespace
}  // namespace whyso::report
