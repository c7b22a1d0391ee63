// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/habits.h"

#include <algorithm>
#include <utility>

#include "whyso/base/text.h"

namespace whyso::process {
namespace {

using Row = std::vector<std::string_view>;

/// Rows of fields between bars, without comments.
Result<std::vector<Row>> rows_of(std::string_view text, std::string_view where, std::size_t width) {
  std::vector<Row> rows;
  std::size_t number = 0;
  for (const auto line : lines_of(text)) {
    ++number;
    if (trim(line).empty() || line.starts_with('#')) continue;
    Row row = split(line, '|');
    for (auto& field : row) field = trim(field);
    if (row.size() != width) {
      return failure(ErrorKind::malformed, std::string(where) + ":" + std::to_string(number),
                     "has not " + std::to_string(width) + " fields");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> texts_of(std::string_view field) {
  std::vector<std::string> texts;
  for (const auto part : split(field, ';')) {
    if (!trim(part).empty()) texts.emplace_back(trim(part));
  }
  return texts;
}

}  // namespace

bool PreloadList::is_of(std::string_view code) const {
  const auto holds = [&](const std::string& text) { return code.contains(text); };
  return std::ranges::all_of(has, holds) && std::ranges::none_of(lacks, holds);
}

Result<Habits> Habits::parse(std::string_view preloads, std::string_view first_use) {
  Habits habits;
  std::string_view list;
  for (const auto& row : TRY(rows_of(preloads, "data/profiles/preloads", 10))) {
    if (std::exchange(list, row[0]) != row[0]) {
      habits.preloads.push_back({.after = std::string(row[2]),
                                 .has = texts_of(row[3]),
                                 .lacks = texts_of(row[4]),
                                 .preloads = {}});
    }
    habits.preloads.back().preloads.push_back({.folder = std::string(row[5]),
                                               .pattern = std::string(row[6]),
                                               .is_required = row[7] == "required"});
  }
  for (const auto& row : TRY(rows_of(first_use, "data/profiles/first_use", 4))) {
    habits.first_uses.push_back({.library = std::string(row[0]), .opens = std::string(row[1])});
  }
  return habits;
}

const PreloadList* Habits::find_list(std::string_view file_name, std::string_view code) const {
  const auto found = std::ranges::find_if(preloads, [&](const PreloadList& list) {
    return list.after == file_name && list.is_of(code);
  });
  return found == preloads.end() ? nullptr : &*found;
}

}  // namespace whyso::process
