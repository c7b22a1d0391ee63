// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/list_text.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "whyso/base/byte_size.h"
#include "whyso/base/text.h"
#include "whyso/report/page.h"

namespace whyso::report {
namespace {

using check::ClashRow;
using check::LibraryRow;
using check::PackageRow;
using check::PackageState;
using Cells = std::vector<std::string>;

template <class Row>
std::string size_of_all(std::span<const Row> rows) {
  std::uint64_t bytes = 0;
  for (const Row& row : rows) bytes += row.bytes;
  return byte_size(bytes);
}

std::string table_text(const Cells& header, const std::vector<Cells>& rows,
                       const std::string& footer, const Style& style) {
  Page page(style);
  if (!rows.empty()) page.table(0, header, rows);
  if (!rows.empty()) page.blank();
  page.paragraph(0, footer, Role::faint);
  return std::move(page).text();
}

std::string state_text(const PackageRow& row) {
  std::string text(word_of(row.state));
  if (row.missing > 0) text += ": " + grouped(row.missing) + " of " + grouped(row.files) + " gone";
  return text;
}

std::string clash_state(const ClashRow& row) {
  if (row.is_missing) return "gone";
  if (!row.is_contested) return "the same";
  return row.content_of.empty() ? "nobody's, or not looked at" : row.content_of + "'s";
}

json::Array texts(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

}  // namespace

std::string_view word_of(PackageState state) {
  constexpr std::array<std::string_view, 6> words = {"whole",         "incomplete", "gutted",
                                                     "metadata-only", "editable",   "unlisted"};
  return words[static_cast<std::size_t>(state)];
}

std::string packages_text(std::span<const PackageRow> rows, const Style& style) {
  const bool are_whole = std::ranges::all_of(
      rows, [](const PackageRow& row) { return row.state == PackageState::whole; });
  Cells header = {"package", "version", "files", "libraries", "size"};
  if (!are_whole) header.emplace_back("state");
  std::vector<Cells> cells;
  for (const PackageRow& row : rows) {
    cells.push_back(
        {row.name, row.version, grouped(row.files), grouped(row.libraries), byte_size(row.bytes)});
    if (!are_whole) cells.back().push_back(state_text(row));
  }
  return table_text(header, cells, counted(rows.size(), "package") + ", " + size_of_all(rows),
                    style);
}

std::string libraries_text(std::span<const LibraryRow> rows, const Style& style) {
  std::vector<Cells> cells;
  for (const LibraryRow& row : rows) {
    cells.push_back({row.path, row.soname,
                     row.owners.empty() ? "no package" : join(row.owners, ", "),
                     byte_size(row.bytes)});
  }
  return table_text({"file", "soname", "listed by", "size"}, cells,
                    counted(rows.size(), "shared object") + ", " + size_of_all(rows), style);
}

std::string clashes_text(std::span<const ClashRow> rows, const Style& style) {
  std::vector<Cells> cells;
  std::size_t contested = 0;
  for (const ClashRow& row : rows) {
    contested += row.is_contested ? 1 : 0;
    cells.push_back({row.path, join(row.owners, ", "), clash_state(row), byte_size(row.bytes)});
  }
  return table_text({"file", "listed by", "bytes", "size"}, cells,
                    counted(rows.size(), "path") + " listed by several packages, " +
                        grouped(contested) + " with different contents",
                    style);
}

json::Value packages_json(std::span<const PackageRow> rows) {
  json::Array array;
  for (const PackageRow& row : rows) {
    array.push_back(json::Object{{"name", row.name},
                                 {"version", row.version},
                                 {"installer", row.installer},
                                 {"state", std::string(word_of(row.state))},
                                 {"files", std::size_t{row.files}},
                                 {"missing", std::size_t{row.missing}},
                                 {"libraries", std::size_t{row.libraries}},
                                 {"bytes", std::size_t{row.bytes}}});
  }
  return array;
}

json::Value libraries_json(std::span<const LibraryRow> rows) {
  json::Array array;
  for (const LibraryRow& row : rows) {
    json::Object object{
        {"path", row.path}, {"packages", texts(row.owners)}, {"bytes", std::size_t{row.bytes}}};
    if (!row.soname.empty()) object.emplace("soname", row.soname);
    array.push_back(std::move(object));
  }
  return array;
}

json::Value clashes_json(std::span<const ClashRow> rows) {
  json::Array array;
  for (const ClashRow& row : rows) {
    json::Object object{{"path", row.path},
                        {"packages", texts(row.owners)},
                        {"contested", row.is_contested},
                        {"missing", row.is_missing},
                        {"bytes", std::size_t{row.bytes}}};
    if (!row.content_of.empty()) object.emplace("content_of", row.content_of);
    array.push_back(std::move(object));
  }
  return array;
}

}  // namespace whyso::report
