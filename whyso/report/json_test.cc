// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/json.h"

#include <gtest/gtest.h>

#include "whyso/base/text.h"

namespace whyso::report {
namespace {

const RuleNames names = {{"SO203", "bytes-belong-to-other"}};
const Tool tool = {.version = "1.2.3"};

check::Finding contested() {
  return {
      .code = "SO203",
      .severity = check::Severity::warning,
      .message = "1 library holds another package's bytes",
      .subjects = {{.package = "a", .version = "1", .soname = "libx.so.1", .path = "x/libx.so.1"}},
      .because = {{.text = "same path", .evidence = {{.kind = "sha256", .file = "/f"}}}},
      .fixes = {{.id = "reinstall", .commands = {{"pip", "install", "a b"}}}}};
}

std::string at(const json::Value& value, std::initializer_list<std::string_view> keys) {
  const json::Value* here = &value;
  for (const auto key : keys) here = here == nullptr ? nullptr : here->find(key);
  return here == nullptr || here->find_text() == nullptr ? "(none)" : *here->find_text();
}

TEST(Json, a_report_says_what_it_is_and_what_it_covers) {
  const check::Report report = {.target = ".venv",
                                .target_path = "/v",
                                .findings = {contested()},
                                .unreadable = {{ErrorKind::io, "/x", "broken"}}};
  const json::Value value = check_json(report, names, tool);
  EXPECT_EQ(at(value, {"schema_version"}), "1");
  EXPECT_EQ(at(value, {"tool", "version"}), "1.2.3");
  EXPECT_EQ(at(value, {"target", "ref"}), ".venv");
  EXPECT_EQ(value.find("coverage")->find("complete")->find_bool()[0], false);
  EXPECT_EQ(value.find("summary")->find("warning")->find_integer()[0], 1);
  const json::Value& finding = value.find("findings")->find_array()->at(0);
  EXPECT_EQ(at(finding, {"level"}), "warning");
  EXPECT_EQ(at(finding, {"name"}), "bytes-belong-to-other");
  const json::Value& fix = finding.find("fixes")->find_array()->at(0);
  EXPECT_EQ(json::write_compact(*fix.find("commands")), R"([["pip","install","a b"]])");
  EXPECT_TRUE(at(finding, {"rendered"}).starts_with("warning[SO203] bytes-belong-to-other: "));
}

TEST(Json, a_fingerprint_outlives_versions_and_folders_but_not_the_library) {
  check::Finding moved = contested();
  moved.subjects[0].version = "2";
  moved.subjects[0].path = "elsewhere/libx.so.1";
  moved.message = "otherwise said";
  EXPECT_EQ(fingerprint(moved), fingerprint(contested()));
  check::Finding other = contested();
  other.subjects[0].soname = "liby.so.1";
  EXPECT_NE(fingerprint(other), fingerprint(contested()));
  check::Finding coded = contested();
  coded.code = "SO202";
  EXPECT_NE(fingerprint(coded), fingerprint(contested()));
}

TEST(Json, each_line_of_ndjson_is_a_document) {
  const check::Report report = {.target = ".venv", .findings = {contested(), contested()}};
  const std::string text = check_ndjson(report, names, tool);
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 2U);
  for (const auto line : lines) {
    const auto value = json::parse(line, "line");
    ASSERT_TRUE(value);
    EXPECT_EQ(at(*value, {"code"}), "SO203");
    EXPECT_EQ(at(*value, {"target", "ref"}), ".venv");
  }
}

TEST(Json, a_load_that_fails_has_an_error_and_no_path) {
  const check::Why why = {.query = "libx.so.1",
                          .loads = {{.name = "libx.so.1", .error = "libx.so.1: cannot open"}}};
  const json::Value value = why_json(why, tool);
  const json::Value& load = value.find("loads")->find_array()->at(0);
  EXPECT_EQ(load.find("path"), nullptr);
  EXPECT_EQ(at(load, {"error"}), "libx.so.1: cannot open");
}

TEST(Json, bytes_that_are_no_utf8_make_valid_json) {
  check::Finding odd = contested();
  odd.subjects[0].path = "x/\xff\x1b.so";
  const std::string text = json::write(check_json({.findings = {odd}}, names, tool));
  EXPECT_TRUE(json::parse(text, "text"));
  EXPECT_TRUE(is_utf8(text));
}

}  // namespace
}  // namespace whyso::report
