// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/metadata.h"

#include <gtest/gtest.h>

#include "whyso/python/ask_python_test.h"

namespace whyso::python {
namespace {

using Values = std::vector<std::string_view>;

TEST(Metadata, is_read_from_headers) {
  const Metadata metadata = Metadata::parse(
      Blob("Metadata-Version: 2.4\nName: BeagleVote\nVersion: 1.0a2\nSummary:  Votes \n"
           "Requires-Python: >=3, !=3.0.*\nRequires-Dist: pkginfo\nRequires-Dist: PasteDeploy\n"
           "Requires-Dist: pywin32 >1.0; sys_platform == 'win32'\nProvides-Extra: pdf\n"
           "License-Expression: MIT OR Apache-2.0\nLicense-File: LICENSE\n\nName: body\n"));
  EXPECT_EQ(metadata.metadata_version(), "2.4");
  EXPECT_EQ(metadata.name(), "BeagleVote");
  EXPECT_EQ(metadata.version(), "1.0a2");
  EXPECT_EQ(metadata.summary(), "Votes");
  EXPECT_EQ(metadata.requires_python(), ">=3, !=3.0.*");
  EXPECT_EQ(metadata.requires_dist(),
            (Values{"pkginfo", "PasteDeploy", "pywin32 >1.0; sys_platform == 'win32'"}));
  EXPECT_EQ(metadata.provides_extra(), Values{"pdf"});
  EXPECT_EQ(metadata.license_expression(), "MIT OR Apache-2.0");
  EXPECT_EQ(metadata.license_files(), Values{"LICENSE"});
  EXPECT_EQ(metadata.license(), std::nullopt);
}

TEST(Metadata, keys_may_be_in_any_case_and_lines_folded) {
  const Metadata metadata = Metadata::parse(
      Blob("NAME: a\r\nversion:1\r\nDescription: first\r\n        second\r\n\tName: third\r\n"
           "Summary: s\r\n\r\nSummary: body"));
  EXPECT_EQ(metadata.name(), "a");
  EXPECT_EQ(metadata.version(), "1");
  EXPECT_EQ(metadata.find("description"), "first\r\n        second\r\n\tName: third");
  EXPECT_EQ(metadata.all("summary"), Values{"s"});
}

TEST(Metadata, ends_at_the_first_line_that_is_no_header) {
  EXPECT_EQ(Metadata::parse(Blob("Name: a\nthis is a body\nVersion: 1\n")).version(), std::nullopt);
  EXPECT_EQ(Metadata::parse(Blob("Name: a\n: no key\nVersion: 1\n")).version(), "1");
  EXPECT_EQ(Metadata::parse(Blob(" folded\nName: a")).name(), "a");
  EXPECT_EQ(Metadata::parse(Blob("\xef\xbb\xbfName: a")).name(), "a");
  EXPECT_EQ(Metadata::parse(Blob("")).name(), std::nullopt);
}

TEST(Metadata, headers_are_those_of_the_email_module) {
  for (const std::string_view text :
       {"Name: a\nVersion:1\n\nbody: x\n", "A: 1\n  two\n\tthree\nB:\n four\nC: \n",
        "A: 1\r\nB: 2\r\n 3\r\n\r\nC: 4", "A: 1\rB: 2\r\rC: 3", "A: 1\nno header\nB: 2\n",
        "A: 1\n: empty\nB: 2\n", "A b: 1\nB: 2\n", " folded\nA: 1\n", "A: x: y\nA: z\na: w\n",
        "A: 1\n \nB: 2\n", "\nA: 1\n", "A:1", "License-Expression: MIT\nX_y.z!: ~\n"}) {
    const PythonAnswer answer = ask_python(
        "import email, sys\n"
        "for key, value in email.message_from_string(sys.stdin.read()).items():\n"
        "    print(key, ' '.join(value.split()), sep='=')\n",
        text);
    if (!answer.is_available) GTEST_SKIP() << answer.output;
    std::string ours;
    for (const MetadataField& field : read_headers(text)) {
      std::string words;
      for (const char c : field.value) {
        const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (!is_blank || !words.ends_with(' ')) words += is_blank ? ' ' : c;
      }
      ours += std::string(field.key) + "=" + words + "\n";
    }
    EXPECT_EQ(ours, answer.output) << text;
  }
}

TEST(Metadata, tolerates_text_that_is_no_utf8) {
  const Metadata metadata = Metadata::parse(Blob("Author: Mu\xf1oz\nName: a\n"));
  EXPECT_EQ(metadata.find("Author"), "Mu\xf1oz");
  EXPECT_EQ(metadata.name(), "a");
}

TEST(Metadata, of_carriage_returns_alone_is_read_in_one_pass) {
  const Metadata metadata = Metadata::parse(Blob("Name: a\r" + std::string(20'000'000, ' ') + "\r" +
                                                 std::string(10'000'000, '\t') + "\rVersion: 2"));
  EXPECT_EQ(metadata.version(), "2");
}

}  // namespace
}  // namespace whyso::python
