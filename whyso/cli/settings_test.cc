// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "whyso/base/toml.h"
#include "whyso/cli/configuration.h"
#include "whyso/cli/run.h"

namespace whyso::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A folder of its own for each test.
class Folder {
 public:
  Folder() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    path_ =
        fs::temp_directory_path() / ("whyso-settings-" + std::to_string(getpid())) / test->name();
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_.parent_path()); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  [[nodiscard]] std::string root() const { return path_.string(); }
  [[nodiscard]] std::string at(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

Usage<Options> run_in(const std::string& folder, const Words& words, Variables variables = {}) {
  return prepare(words, {.variables = std::move(variables), .working_folder = folder});
}

TEST(Settings, the_command_line_goes_before_variables_and_these_before_a_file) {
  const Folder folder;
  folder.write("whyso.toml", "fail-on = \"note\"\n");
  EXPECT_EQ(run_in(folder.root(), {})->settings.text("fail-on"), "note");
  const Variables variable = {{"WHYSO_FAIL_ON", "warning"}};
  EXPECT_EQ(run_in(folder.root(), {}, variable)->settings.text("fail-on"), "warning");
  const auto all = run_in(folder.root(), {"--fail-on", "error"}, variable);
  EXPECT_EQ(all->settings.text("fail-on"), "error");
  EXPECT_EQ(all->settings["fail-on"].origin, "the command line");
  EXPECT_EQ(run_in(folder.root(), {}, variable)->settings["fail-on"].origin, "WHYSO_FAIL_ON");
  EXPECT_EQ(run_in(folder.root(), {})->settings["fail-on"].origin, folder.at("whyso.toml"));
  EXPECT_EQ(run_in(folder.root(), {})->settings["format"].origin, "default");
}

TEST(Settings, the_nearest_file_alone_counts_and_a_foreign_pyproject_is_passed_over) {
  const Folder folder;
  folder.write("whyso.toml", "fail-on = \"note\"\n");
  folder.write("a/pyproject.toml", "[project]\nname = \"x\"\n");
  folder.write("a/b/pyproject.toml", "[tool.whyso]\nquiet = true\n");
  EXPECT_EQ(run_in(folder.at("a"), {})->settings.text("fail-on"), "note");
  const auto nearest = run_in(folder.at("a/b"), {});
  EXPECT_EQ(nearest->settings.text("fail-on"), "error");
  EXPECT_TRUE(nearest->is_quiet);
}

TEST(Settings, the_users_folder_counts_where_no_project_says_anything) {
  const Folder folder;
  folder.write("home/.config/whyso/whyso.toml", "hash = \"full\"\n");
  folder.write("xdg/whyso/whyso.toml", "hash = \"none\"\n");
  Variables variables = {{"HOME", folder.at("home")}};
  EXPECT_EQ(run_in("/nonexistent", {}, variables)->settings.text("hash"), "full");
  variables.emplace("XDG_CONFIG_HOME", folder.at("xdg"));
  EXPECT_EQ(run_in("/nonexistent", {}, variables)->settings.text("hash"), "none");
}

TEST(Settings, a_variable_can_switch_off_what_a_file_switches_on) {
  const Folder folder;
  folder.write("whyso.toml", "quiet = true\nverbose = 2\n");
  EXPECT_TRUE(run_in(folder.root(), {})->is_quiet);
  EXPECT_EQ(run_in(folder.root(), {})->style.verbosity, 2);
  EXPECT_FALSE(run_in(folder.root(), {}, {{"WHYSO_QUIET", "0"}})->is_quiet);
}

TEST(Settings, wrong_keys_values_and_variables_are_named_with_what_was_meant) {
  const auto table = [](const char* text) { return *toml::parse(text, "f")->find_object(); };
  const auto key = file_layer(table("fial-on = \"note\""), "f");
  EXPECT_EQ(key.error().message, "f: unknown key `fial-on`");
  EXPECT_EQ(key.error().hint, "did you mean fail-on?");
  const auto value = file_layer(table("fail-on = \"warnign\""), "f");
  EXPECT_EQ(value.error().message, "f: fail-on: `warnign` is not possible");
  EXPECT_EQ(value.error().hint, "did you mean warning?");
  EXPECT_FALSE(file_layer(table("fail-on = [\"note\", \"error\"]"), "f"));
  EXPECT_FALSE(file_layer(table("fail-on = {}"), "f"));
  EXPECT_FALSE(file_layer(table("list = true"), "f"));
  EXPECT_EQ(variable_layer({{"WHYSO_FROMAT", "x"}}).error().hint, "did you mean WHYSO_FORMAT?");
  EXPECT_FALSE(variable_layer({{"WHYSO_ASCII", "perhaps"}}));
  EXPECT_TRUE(variable_layer({{"PATH", "x"}, {"WHYSO_ACCEPT", "1"}}));
}

TEST(Settings, codes_and_entries_to_ignore_stand_in_one_list) {
  const auto configuration = read_configuration(R"(
[tool.whyso]
ignore = ["SO205"]
[tool.other]
x = 1
)",
                                                "pyproject.toml");
  ASSERT_TRUE(configuration && *configuration);
  EXPECT_EQ(file_layer((*configuration)->table, "f")->given.at("ignore"), Words{"SO205"});
  const auto entries = read_configuration(R"(
[[tool.whyso.ignore]]
code = "SO203"
package = "nvidia-nccl-cu13"
until = 2027-01-31
reason = "wanted"
)",
                                          "pyproject.toml");
  ASSERT_TRUE(entries && *entries) << entries.error().message;
  ASSERT_EQ((*entries)->suppressions.size(), 1U);
  EXPECT_EQ((*entries)->suppressions[0].until, "2027-01-31");
  EXPECT_FALSE(file_layer((*entries)->table, "f")->given.contains("ignore"));
}

TEST(Settings, an_entry_needs_a_code_a_reason_and_a_date_that_is_one) {
  const auto message = [](const std::string& entry) {
    const auto read = read_configuration("[[ignore]]\n" + entry, "whyso.toml");
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(message("code = \"SO203\""), "whyso.toml: ignore entry 1: reason is missing");
  EXPECT_EQ(message("reason = \"x\""), "whyso.toml: ignore entry 1: code is missing");
  EXPECT_EQ(message("code = \"SO203\"\nreason = \"x\"\nuntil = \"soon\""),
            "whyso.toml: ignore entry 1: until must be a date like 2026-12-31");
  EXPECT_EQ(message("code = \"SO203\"\nreason = \"x\"\nuntill = \"2026-12-31\""),
            "whyso.toml: ignore entry 1: unknown key `untill`");
  EXPECT_EQ(message("code = \"SO203\"\nreason = \"x\"\nuntil = 2026-12-31"), "");
}

TEST(Settings, a_broken_file_is_wrong_only_where_it_speaks_of_whyso) {
  EXPECT_FALSE(read_configuration("[tool.whyso\n", "/a/pyproject.toml"));
  EXPECT_TRUE(read_configuration("[tool.other\n", "/a/pyproject.toml"));
}

}  // namespace
}  // namespace whyso::cli
