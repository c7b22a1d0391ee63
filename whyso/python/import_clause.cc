// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/import_clause.h"

#include <utility>

namespace whyso::python {
namespace {

/// "a . b" as "a.b"; empty where no name comes next.
std::string take_dotted_name(SourceCursor& cursor) {
  std::string name;
  while (true) {
    cursor.skip_blanks();
    name += cursor.take_word();
    cursor.skip_blanks();
    if (name.empty() || !cursor.take('.')) return name;
    name += '.';
  }
}

void skip(SourceCursor& cursor, bool is_in_brackets) {
  if (is_in_brackets) {
    cursor.skip_blanks_in_brackets();
  } else {
    cursor.skip_blanks();
  }
}

/// The name behind "as", or nothing; what else comes next stays.
std::string take_alias(SourceCursor& cursor, bool is_in_brackets) {
  SourceCursor next = cursor;
  if (next.take_word() != "as") return {};
  skip(next, is_in_brackets);
  std::string alias(next.take_word());
  if (!alias.empty()) cursor = next;
  return alias;
}

unsigned take_level(SourceCursor& cursor) {
  unsigned level = 0;
  for (cursor.skip_blanks(); cursor.take('.'); cursor.skip_blanks()) ++level;
  return level;
}

std::vector<ImportedName> take_names(SourceCursor& cursor) {
  std::vector<ImportedName> names;
  cursor.skip_blanks();
  if (cursor.take('*')) return {{.name = "*", .bound_as = "*"}};
  // Without the bracket taken, the rest of the statement is skipped as one when it is malformed.
  SourceCursor inside = cursor;
  const bool is_in_brackets = inside.take('(');
  do {
    skip(inside, is_in_brackets);
    ImportedName name;
    name.name = inside.take_word();
    if (name.name.empty()) break;
    skip(inside, is_in_brackets);
    name.bound_as = take_alias(inside, is_in_brackets);
    if (name.bound_as.empty()) name.bound_as = name.name;
    names.push_back(std::move(name));
    skip(inside, is_in_brackets);
  } while (inside.take(','));
  if (!is_in_brackets || inside.take(')')) cursor = inside;
  return names;
}

}  // namespace

std::vector<ImportStatement> read_import(SourceCursor& cursor) {
  std::vector<ImportStatement> statements;
  do {
    ImportStatement statement;
    statement.module = take_dotted_name(cursor);
    if (statement.module.empty()) break;
    statement.bound_as = take_alias(cursor, false);
    statements.push_back(std::move(statement));
    cursor.skip_blanks();
  } while (cursor.take(','));
  return statements;
}

std::vector<ImportStatement> read_from_import(SourceCursor& cursor) {
  ImportStatement statement;
  statement.is_from = true;
  statement.level = take_level(cursor);
  SourceCursor next = cursor;
  // "from . import x" names no module.
  if (statement.level == 0 || next.take_word() != "import") {
    statement.module = take_dotted_name(cursor);
    if (statement.module.empty()) return {};
  }
  cursor.skip_blanks();
  if (cursor.take_word() != "import") return {};
  statement.names = take_names(cursor);
  if (statement.names.empty()) return {};
  return {std::move(statement)};
}

}  // namespace whyso::python
