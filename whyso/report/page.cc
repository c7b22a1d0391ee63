// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/page.h"

#include <algorithm>
#include <utility>

#include "whyso/base/hash.h"
#include "whyso/base/text.h"

namespace whyso::report {
namespace {

using Group = std::pair<std::size_t, std::size_t>;

constexpr std::size_t narrowest = 20;

std::string spaces(std::size_t count) { return std::string(count, ' '); }

std::size_t rest_of(std::size_t width, std::size_t used) {
  return width > used + narrowest ? width - used : narrowest;
}

/// Parts between spaces; a space between two backticks of one line does not part.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::size_t start = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool at_end = i == text.size();
    if (!at_end && text[i] == '`') quoted = !quoted && text.find('`', i + 1) != text.npos;
    if (!at_end && (text[i] != ' ' || quoted)) continue;
    if (i > start) words.emplace_back(text.substr(start, i - start));
    start = i + 1;
  }
  return words;
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t taken = columns(text);
  return std::string(text) + spaces(taken < width ? width - taken : 0);
}

void end_line(std::string& text) {
  while (text.ends_with(' ')) text.pop_back();
  text += '\n';
}

/// `word` for a shell. What may not stand on a screen is written as bash and zsh read it, $'\x0a'.
std::string pastable(std::string_view word, bool ascii) {
  const bool is_clean = printable(word) == word && (!ascii || std::ranges::all_of(word, [](char c) {
                          return static_cast<unsigned char>(c) < 0x80;
                        }));
  if (is_clean) return shell_word(word);
  std::string escaped = "$'";
  for (const char c : word) {
    const bool is_plain = is_alphanumeric(c) || std::string_view("._-+=/@").contains(c);
    escaped += is_plain ? std::string(1, c) : "\\x" + hexadecimal(std::string_view(&c, 1));
  }
  return escaped + "'";
}

/// One command in lines that end in " \\", but for the last one.
void append_command(std::vector<std::string>& lines, const std::vector<std::string>& command,
                    std::size_t width, bool ascii) {
  constexpr std::string_view more = " \\";
  std::string line;
  for (const auto& plain : command) {
    const std::string word = pastable(plain, ascii);
    const bool is_full = columns(line) + 1 + columns(word) + more.size() > width;
    if (!line.empty() && is_full) lines.push_back(std::exchange(line, " ") + std::string(more));
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) lines.push_back(std::move(line));
}

/// Which columns share a line, so that each line keeps to the width.
std::vector<Group> fold(std::span<const std::size_t> widths, std::size_t width,
                        std::size_t indent) {
  std::vector<Group> groups;
  std::size_t used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const bool is_full = used + widths[i] > width;
    if (i == 0 || is_full) {
      groups.emplace_back(i, i);
      used = indent + (i == 0 ? 0 : 2);
    }
    groups.back().second = i + 1;
    used += widths[i] + 2;
  }
  return groups;
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t first, std::size_t next) {
  return wrap(words_of(text), first, next);
}

std::vector<std::string> wrap(std::span<const std::string> words, std::size_t first,
                              std::size_t next) {
  std::vector<std::string> lines;
  std::string line;
  for (const auto& word : words) {
    const std::size_t room = lines.empty() ? first : next;
    if (!line.empty() && columns(line) + 1 + columns(word) > room) {
      lines.push_back(std::exchange(line, ""));
    }
    const bool begins_line = line.empty() && !lines.empty();
    if (!line.empty()) line += ' ';
    line += begins_line ? word.substr(std::min(word.find_first_not_of(' '), word.size())) : word;
  }
  if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> command_lines(std::span<const std::vector<std::string>> commands,
                                       std::size_t width, bool ascii) {
  std::vector<std::string> lines;
  for (const auto& command : commands) {
    if (!lines.empty() && !command.empty()) lines.back() += " &&";
    append_command(lines, command, width, ascii);
  }
  return lines;
}

void Page::lead(std::string_view lead, std::size_t lead_columns, std::string_view text,
                std::size_t hang) {
  const auto words = words_of(shown(text, style_));
  text_ += lead;
  write_lines(wrap(words, rest_of(style_.width, lead_columns), rest_of(style_.width, hang)), hang);
}

void Page::lead(std::string_view lead, std::size_t lead_columns, std::span<const std::string> words,
                std::size_t hang) {
  std::vector<std::string> safe;
  for (const auto& word : words) safe.push_back(shown(word, style_));
  text_ += lead;
  write_lines(wrap(safe, rest_of(style_.width, lead_columns), rest_of(style_.width, hang)), hang);
}

void Page::write_lines(std::span<const std::string> lines, std::size_t hang) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text_ += spaces(hang);
    text_ += lines[i];
    end_line(text_);
  }
}

void Page::labelled(const Label& label, std::string_view text) {
  const std::string word = shown(label.text, style_);
  const std::size_t used = label.indent + columns(word);
  const std::size_t gap = used + 2 <= label.column ? label.column - used : 2;
  lead(spaces(label.indent) + painted(word, Role::strong, style_) + spaces(gap), used + gap, text,
       label.column);
}

void Page::commands(const Label& label, std::span<const std::vector<std::string>> commands) {
  const auto lines = command_lines(commands, rest_of(style_.width, label.column), style_.ascii);
  const std::string word = shown(label.text, style_);
  text_ += spaces(label.indent) + painted(word, Role::strong, style_);
  text_ += spaces(label.column > label.indent + columns(word)
                      ? label.column - label.indent - columns(word)
                      : 2);
  write_lines(lines, label.column);
}

void Page::paragraph(std::size_t indent, std::string_view text, Role role) {
  const std::size_t room = rest_of(style_.width, indent);
  for (const auto& line : wrap(shown(text, style_), room, room)) {
    text_ += spaces(indent) + painted(line, role, style_);
    end_line(text_);
  }
}

void Page::verbatim(std::size_t indent, std::string_view line) {
  text_ += spaces(indent) + shown(line, style_);
  end_line(text_);
}

void Page::table(std::size_t indent, std::span<const std::string> header,
                 std::span<const std::vector<std::string>> rows) {
  std::vector<Row> cells(1);
  for (const auto& title : header) cells[0].push_back(shown(title, style_));
  for (const auto& row : rows) {
    cells.emplace_back();
    for (std::size_t i = 0; i < header.size(); ++i) {
      cells.back().push_back(i < row.size() ? shown(row[i], style_) : "");
    }
  }
  std::vector<std::size_t> widths(header.size());
  for (const auto& row : cells) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  const auto groups = fold(widths, style_.width, indent);
  for (std::size_t n = 0; n < cells.size(); ++n) {
    write_row(indent, cells[n], widths, groups, n == 0 ? Role::faint : Role::plain);
  }
}

void Page::write_row(std::size_t indent, const Row& row, std::span<const std::size_t> widths,
                     std::span<const Group> groups, Role role) {
  for (const auto& [first, last] : groups) {
    std::string line;
    for (std::size_t i = first; i < last; ++i) line += padded(row[i], widths[i] + 2);
    while (line.ends_with(' ')) line.pop_back();
    const std::size_t inner = indent + (first == 0 ? 0 : 2);
    const std::size_t room = rest_of(style_.width, inner);
    // Only a cell that is alone in its line can be too long for it.
    const auto lines =
        last - first > 1 ? std::vector<std::string>{std::move(line)} : wrap(line, room, room);
    for (const auto& part : lines) {
      text_ += spaces(inner) + painted(part, role, style_);
      end_line(text_);
    }
  }
}

void Page::blank() {
  if (!text_.empty() && !text_.ends_with("\n\n")) text_ += '\n';
}

}  // namespace whyso::report
