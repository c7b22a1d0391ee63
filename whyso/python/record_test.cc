// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/record.h"

#include <gtest/gtest.h>

#include "whyso/python/ask_python_test.h"

namespace whyso::python {
namespace {

Record parse(std::string text) { return Record::parse(Blob(std::move(text))); }

std::vector<std::string> paths(const Record& record) {
  std::vector<std::string> result;
  for (const RecordRow& row : record.rows()) result.emplace_back(row.path);
  return result;
}

using Paths = std::vector<std::string>;

TEST(Record, row_has_path_hash_and_size) {
  const Record record = parse(
      "pkg/__init__.py,sha256=AVTFPZpEKzuHr7OvQZmhaU3LvwKz06AJw8mT_pNh2yI,3144\n"
      "pkg/__init__.cpython-311.pyc,,\r\n"
      "../../../bin/pkg,sha256=abc,0\n"
      "/etc/pkg.conf,md5=x=y,\n"
      "pkg-1.0.dist-info/RECORD,,");
  ASSERT_EQ(record.rows().size(), 5);
  EXPECT_EQ(record.rows()[0].path, "pkg/__init__.py");
  EXPECT_EQ(record.rows()[0].hash->algorithm, "sha256");
  EXPECT_EQ(record.rows()[0].hash->digest, "AVTFPZpEKzuHr7OvQZmhaU3LvwKz06AJw8mT_pNh2yI");
  EXPECT_EQ(record.rows()[0].size, 3144);
  EXPECT_EQ(record.rows()[1], (RecordRow{.path = "pkg/__init__.cpython-311.pyc", .line = 2}));
  EXPECT_EQ(record.rows()[2].path, "../../../bin/pkg");
  EXPECT_EQ(record.rows()[2].size, 0);
  EXPECT_EQ(record.rows()[3].hash->digest, "x=y");
  EXPECT_EQ(record.rows()[4].line, 5);
  EXPECT_TRUE(is_record_itself(record.rows()[4]));
  EXPECT_FALSE(is_record_itself(record.rows()[3]));
  EXPECT_EQ(record.fault_count(), 0);
}

TEST(Record, quotes_may_hold_commas_quotes_and_line_ends) {
  const Record record = parse(
      "\"a,b\",sha256=x,1\n\"say "
      "\"\"hi\"\".py\",,\n\"two\nlines\",,\nplain\"quote,,\n\"x\"y,,\nlast,,\n");
  EXPECT_EQ(paths(record),
            (Paths{"a,b", "say \"hi\".py", "two\nlines", "plain\"quote", "xy", "last"}));
  EXPECT_EQ(record.rows()[3].line, 5);
  EXPECT_EQ(record.fault_count(), 0);
}

TEST(Record, views_outlive_the_moved_and_copied_record) {
  auto record = std::make_unique<Record>(parse("\"a\"\"b\",,\n"));
  const Record copy = *record;
  record.reset();
  EXPECT_EQ(copy.rows()[0].path, "a\"b");
}

TEST(Record, keeps_malformed_rows_apart_and_reads_the_rest) {
  const Record record = parse(std::string(
      "a,,\n,sha256=x,1\nb,c,d,e\nn\0l,,\n\xff,,\nc,nohash,\nd,,many\n\n\ne\nf,,\n", 60));
  EXPECT_EQ(paths(record), (Paths{"a", "c", "d", "e", "f"}));
  EXPECT_EQ(record.faults(),
            (std::vector<RecordFault>{{2, "the path is empty"},
                                      {3, "more than three elements"},
                                      {4, "the path holds a NUL"},
                                      {5, "the path is no UTF-8"},
                                      {6, "the hash is not of the form ALGORITHM=DIGEST"},
                                      {7, "the size is no number"},
                                      {10, "fewer than three elements"}}));
}

TEST(Record, quote_that_is_never_closed_spoils_its_line_only) {
  const Record record = parse("a,,\n\"b,,\nc,,\nd\"\"e,,\n");
  EXPECT_EQ(paths(record), (Paths{"a", "c", "d\"\"e"}));
  EXPECT_EQ(record.faults(), (std::vector<RecordFault>{{2, "a quote is never closed"}}));
}

TEST(Record, paths_are_those_of_the_csv_module) {
  const std::string text =
      "a,,\n\"b,c\",x=y,1\n\"d\"\"e\"f,,\r\n\"g\nh\r\ni\",,\rj\"k,,\n\"\"l,,\n\n\"m\"\"\",,"
      "\n\"n\"o\"p,,\nlast";
  const PythonAnswer answer = ask_python(
      "import csv, sys\n"
      "for row in csv.reader(sys.stdin):\n"
      "    if row: print(repr(row[0].encode()))\n",
      text);
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  std::string ours;
  for (const std::string& path : paths(parse(text))) {
    std::string escaped;
    for (const char c : path) escaped += c == '\n' ? "\\n" : c == '\r' ? "\\r" : std::string(1, c);
    ours += "b'" + escaped + "'\n";
  }
  EXPECT_EQ(ours, answer.output);
}

TEST(Record, of_chosen_rows_is_the_whole_without_the_others) {
  const RowChoice choice{.infix = ".so", .names = {"RECORD"}};
  for (std::string text :
       {"a.so,,\nb,,\nd/c.so.1,sha256=x,3\nx.so/e,,\nz.dist-info/RECORD,,\nRECORD2,,\n",
        "\n\nb,,\r\na.so,,\r\n\r\nq/RECORD,,", "b,.so,\n.so,,\n", "one.so", "", "\r\rb.so,,\rc,,\r",
        "\"a.so\",,\n\"b\nc.so\",,\nd,,\n"}) {
    const Record whole = parse(text);
    std::vector<RecordRow> expected;
    for (const RecordRow& row : whole.rows()) {
      if (choice.wants(row.path)) expected.push_back(row);
    }
    const Record chosen = Record::parse(Blob(text), choice);
    ASSERT_EQ(chosen.rows().size(), expected.size()) << text;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(chosen.rows()[i], expected[i]) << text;
    }
  }
}

TEST(Record, is_read_up_to_a_limit_of_bytes) {
  const std::string row = std::string(4000, 'a') + ",,\n";
  std::string text;
  while (text.size() <= Record::most_bytes) text += row;
  const Record record = parse(std::move(text));
  EXPECT_EQ(record.rows().size(), Record::most_bytes / row.size());
  EXPECT_EQ(record.fault_count(), 0);
  EXPECT_EQ(record.unread_bytes(), row.size());
}

TEST(Record, is_read_up_to_a_million_rows) {
  std::string text;
  for (std::size_t i = 0; i < Record::most_rows + 2; ++i) text += "a,,\n";
  const Record record = parse(std::move(text));
  EXPECT_EQ(record.rows().size(), Record::most_rows);
  EXPECT_EQ(record.unread_bytes(), 8);
}

TEST(Record, of_junk_costs_little_memory_and_time) {
  EXPECT_EQ(parse(std::string(20'000'000, '\0')).fault_count(), 1);
  EXPECT_EQ(parse(std::string(20'000'000, '\r')).rows().size(), 0);
  EXPECT_EQ(parse(std::string(20'000'000, '"')).rows().size(), 0);
  EXPECT_EQ(parse(std::string(20'000'001, '"')).fault_count(), 1);
  EXPECT_EQ(parse(std::string(20'000'000, ',')).fault_count(), 1);
  std::string alternating;
  for (int i = 0; i < 5'000'000; ++i) alternating += "\"\n,";
  EXPECT_LE(parse(alternating).faults().size(), Record::most_faults);
}

}  // namespace
}  // namespace whyso::python
