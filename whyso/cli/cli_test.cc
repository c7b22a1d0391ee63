// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "whyso/base/json.h"
#include "whyso/base/text.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/help.h"
#include "whyso/cli/rule_page.h"
#include "whyso/cli/verbs.h"

namespace whyso::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> headings = {"What it finds", "Why it matters",
                                                      "How it looks",  "How whyso knows",
                                                      "How to repair", "When it is wrong"};

struct Outcome {
  Status status = Status::good;
  Streams streams;
};

Outcome ran(const std::vector<std::string>& words,
            Status (*verb)(const Options&, const Resources&, Streams&)) {
  const auto options = prepare(words, {.working_folder = "/nonexistent"});
  Outcome outcome;
  if (!options) return {Status::wrong_usage, {.err = options.error().message}};
  outcome.status = verb(*options, built_in_resources(), outcome.streams);
  return outcome;
}

/// What a command says when `text` lies in a file whose name follows it; "?" where it is missing.
std::string told(const std::string& command, const std::string& text) {
  const fs::path file =
      fs::temp_directory_path() / ("whyso-cli-test-" + std::to_string(getpid()) + ".txt");
  std::ofstream(file) << text;
  FILE* pipe = popen((command + " " + file.string() + " 2>&1").c_str(), "r");
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  pclose(pipe);
  fs::remove(file);
  return said;
}

TEST(Cli, each_page_has_its_headings_in_order_and_is_named_after_its_rule) {
  for (const auto& file : built_in_resources().rule_pages) {
    const auto page = parse_rule_page(file.text, file.name);
    ASSERT_TRUE(page) << file.name;
    EXPECT_EQ(file.name, page->code + "-" + page->name + ".md");
    EXPECT_TRUE(page->level == "error" || page->level == "warning" || page->level == "note");
    EXPECT_TRUE(page->summary.ends_with('.')) << file.name;
    std::vector<std::string_view> found;
    for (const auto line : lines_of(page->text)) {
      if (line.starts_with("## ")) found.push_back(line.substr(3));
    }
    EXPECT_EQ(found, std::vector<std::string_view>(headings.begin(), headings.end())) << file.name;
  }
}

TEST(Cli, a_page_without_its_title_or_level_is_refused) {
  EXPECT_FALSE(parse_rule_page("", "p"));
  EXPECT_FALSE(parse_rule_page("# SO1\n\nLevel: note\n", "p"));
  EXPECT_FALSE(parse_rule_page("# SO101 missing-library\n\nA sentence.\n", "p"));
}

TEST(Cli, rule_takes_codes_and_names_and_guesses) {
  EXPECT_TRUE(ran({"rule", "so102"}, run_rule).streams.out.starts_with("SO102 gutted-package"));
  EXPECT_TRUE(ran({"rule", "gutted-package"}, run_rule).streams.out.starts_with("SO102 "));
  const auto wrong = ran({"rule", "gutted"}, run_rule);
  EXPECT_EQ(wrong.status, Status::wrong_usage);
  EXPECT_EQ(wrong.streams.out, "");
  EXPECT_NE(ran({"rule", "SO12"}, run_rule).streams.err.find("did you mean SO102"),
            std::string::npos);
}

TEST(Cli, rule_lists_as_many_rules_as_there_are_pages) {
  const auto list = ran({"rule", "--list"}, run_rule).streams.out;
  EXPECT_EQ(lines_of(list).size(), built_in_resources().rule_pages.size() + 1);
  const auto value = json::parse(ran({"rule", "--format", "json"}, run_rule).streams.out, "out");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->find("rules")->find_array()->size(), built_in_resources().rule_pages.size());
}

TEST(Cli, schemas_are_json_and_known_by_their_verbs) {
  for (const std::string verb : {"check", "why", "provides", "rule", "ld", "config"}) {
    const auto outcome = ran({"schema", verb}, run_schema);
    EXPECT_EQ(outcome.status, Status::good) << verb;
    EXPECT_TRUE(json::parse(outcome.streams.out, verb)) << verb;
  }
  EXPECT_EQ(ran({"schema"}, run_schema).streams.out,
            ran({"schema", "check"}, run_schema).streams.out);
  EXPECT_EQ(ran({"schema", "chek"}, run_schema).status, Status::wrong_usage);
}

TEST(Cli, every_licence_that_is_named_has_its_text) {
  const auto text = ran({"version", "--licenses"}, run_version).streams.out;
  for (const std::string library :
       {"glibc", "libstdc++", "fmt", "nlohmann-json", "toml++", "libdeflate", "CLI11", "nettle"}) {
    EXPECT_NE(text.find("\n" + library), std::string::npos) << library;
  }
  for (const auto& file : built_in_resources().licenses) {
    if (file.name == "components") continue;
    EXPECT_NE(text.find("==== " + std::string(file.name) + "\n"), std::string::npos) << file.name;
    EXPECT_NE(built_in_resources().licenses[0].text.find(file.name), std::string::npos)
        << file.name << " is the text of no component";
  }
}

TEST(Cli, help_names_every_option_of_a_verb_within_the_width) {
  for (const auto& info : verb_table()) {
    const std::string text = verb_help(info, {.width = 80});
    for (const auto& option : option_table()) {
      if (!applies(option, info.verb)) continue;
      EXPECT_NE(text.find("--" + std::string(option.name)), std::string::npos)
          << info.name << " " << option.name;
    }
    for (const auto line : lines_of(text)) EXPECT_LE(columns(line), 80U) << line;
  }
}

TEST(Cli, bash_understands_its_completions_and_they_complete) {
  const std::string script = bash_completion({"SO101", "SO102"});
  EXPECT_EQ(told("bash -n", script), "");
  const auto completed = [&](const std::string& line) {
    return told("bash", script + "cd /proc/self\nCOMP_WORDS=(" + line +
                            ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n" +
                            "_whyso\necho -n \"${COMPREPLY[*]}\"\n");
  };
  EXPECT_EQ(completed("whyso chec"), "check");
  EXPECT_EQ(completed("whyso rule SO10"), "SO101 SO102");
  EXPECT_EQ(completed("whyso check --format js"), "json");
  EXPECT_EQ(completed("whyso rule --has"), "");
  EXPECT_EQ(completed("whyso --has"), "--hash");
}

TEST(Cli, man_finds_nothing_wrong_with_the_manual_page) {
  const std::string page = manual_page("1.2.3");
  if (told("man --version", "").find("man ") == std::string::npos) GTEST_SKIP() << "no man here";
  EXPECT_EQ(told("LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z >/dev/null", page), "");
  EXPECT_NE(page.find(".SS why"), std::string::npos);
  EXPECT_NE(page.find("WHYSO_FAIL_ON"), std::string::npos);
}

TEST(Cli, generate_knows_four_things) {
  for (const std::string what : {"man", "complete-bash", "complete-zsh", "complete-fish"}) {
    EXPECT_EQ(ran({"generate", what}, run_generate).status, Status::good) << what;
  }
  EXPECT_EQ(ran({"generate", "completions"}, run_generate).status, Status::wrong_usage);
}

TEST(Cli, the_exit_status_says_incomplete_before_anything_else) {
  using check::Severity;
  const check::Report sound;
  check::Report warned = {.findings = {{.code = "SO203", .severity = Severity::warning}}};
  EXPECT_EQ(status_of(sound, Severity::error, false), Status::good);
  EXPECT_EQ(status_of(warned, Severity::error, false), Status::good);
  EXPECT_EQ(status_of(warned, Severity::warning, false), Status::findings);
  warned.unreadable.push_back({ErrorKind::io, "/x", "broken"});
  EXPECT_EQ(status_of(warned, Severity::warning, false), Status::incomplete);
  EXPECT_EQ(status_of(warned, Severity::warning, true), Status::findings);
}

TEST(Cli, targets_that_cannot_be_read_yet_are_refused_by_name) {
  const auto question = [](const std::string& target) {
    return question_of(
        *prepare(std::vector<std::string>{"check", target}, {.working_folder = "/nonexistent"}),
        built_in_resources());
  };
  EXPECT_EQ(question("docker://web").error().status, Status::wrong_usage);
  EXPECT_FALSE(question("-"));
  EXPECT_FALSE(question("rootfs:"));
  EXPECT_EQ(question("rootfs:/mnt")->root, "/mnt");
  EXPECT_EQ(question(".venv")->target, ".venv");
}

TEST(Cli, each_row_of_the_table_of_sonames_has_five_fields_a_source_and_a_date) {
  std::string last;
  for (const auto line : lines_of(built_in_resources().sonames)) {
    if (line.starts_with('#')) continue;
    const auto fields = split(line, '|');
    ASSERT_EQ(fields.size(), 5U) << line;
    EXPECT_NE(trim(fields[0]).find("."), std::string::npos) << line;
    const auto provider = trim(fields[1]);
    EXPECT_TRUE(provider.starts_with("pypi ") || provider.starts_with("deb ") ||
                provider.starts_with("driver "))
        << line;
    EXPECT_FALSE(trim(fields[3]).empty()) << line;
    EXPECT_EQ(trim(fields[4]).size(), 10U) << line;
    const std::string key = std::string(trim(fields[0])) + "\x01" + std::string(provider);
    EXPECT_LE(last, key) << line;
    last = key;
  }
}

}  // namespace
}  // namespace whyso::cli
