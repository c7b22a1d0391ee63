// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/record.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

constexpr std::size_t longest_path = 4096;

/// The elements of a row. More than three are counted and not kept.
struct Elements {
  std::array<std::string_view, 3> kept;
  std::size_t count = 0;

  void add(std::string_view element) {
    if (count < kept.size()) kept[count] = element;
    ++count;
  }
};

/// Characters that need the slow way if they occur anywhere in the text.
struct Traits {
  bool has_quote = false;
  bool has_carriage_return = false;
  bool has_nul = false;
  bool is_ascii = true;
};

/// Whole lines only.
std::string_view beginning_of(std::string_view text) {
  if (text.size() <= Record::most_bytes) return text;
  const std::string_view begin = text.substr(0, Record::most_bytes);
  return begin.substr(0, begin.find_last_of("\r\n") + 1);
}

bool is_ascii(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::uint64_t all = 0;
  std::size_t at = 0;
  for (; at + sizeof(all) <= text.size(); at += sizeof(all)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    all |= word;
  }
  for (; at < text.size(); ++at) all |= static_cast<unsigned char>(text[at]);
  return (all & high_bits) == 0;
}

Traits traits_of(std::string_view text) {
  return {.has_quote = text.contains('"'),
          .has_carriage_return = text.contains('\r'),
          .has_nul = text.contains('\0'),
          .is_ascii = is_ascii(text)};
}

}  // namespace

/// One pass over the text.
class RecordReader {
 public:
  explicit RecordReader(Blob text) : text_(beginning_of(text.text())), traits_(traits_of(text_)) {
    record_.text_ = std::move(text);
  }

  Record read() {
    const auto lines = static_cast<std::size_t>(std::ranges::count(text_, '\n')) + 1;
    record_.rows_.reserve(std::min(lines, Record::most_rows));
    while (position_ < text_.size() && record_.rows_.size() < Record::most_rows) read_row();
    record_.unread_bytes_ = record_.text_.size() - position_;
    record_.unquoted_ = Blob(std::move(unquoted_));
    return std::move(record_);
  }

  Record read(const RowChoice& choice) {
    if (traits_.has_quote) {
      Record all = read();
      std::erase_if(all.rows_, [&](const RecordRow& row) { return !choice.wants(row.path); });
      return all;
    }
    std::vector<std::size_t> hits(choice.names.size() + 1, 0);
    while (record_.rows_.size() < Record::most_rows && skip_to_hit(choice, hits)) {
      const std::size_t rows = record_.rows_.size();
      read_row();
      const bool is_unwanted =
          record_.rows_.size() > rows && !choice.wants(record_.rows_.back().path);
      if (is_unwanted) record_.rows_.pop_back();
    }
    return std::move(record_);
  }

 private:
  /// To the next line that holds a text that the file names of wanted rows hold. `hits` are the
  /// places where each was found last. False: there is none.
  bool skip_to_hit(const RowChoice& choice, std::vector<std::size_t>& hits) {
    std::size_t nearest = std::string_view::npos;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (hits[i] < position_ || position_ == 0) {
        hits[i] = text_.find(i == 0 ? choice.infix : choice.names[i - 1], position_);
      }
      nearest = std::min(nearest, hits[i]);
    }
    if (nearest == std::string_view::npos) return false;
    const std::string_view before = text_.substr(position_, nearest - position_);
    const auto end = before.find_last_of("\r\n");
    if (end == std::string_view::npos) return true;
    count_line_ends(before.substr(0, end + 1));
    position_ += end + 1;
    return true;
  }

  /// CR, LF or CRLF.
  void count_line_ends(std::string_view lines) {
    auto ends = std::ranges::count(lines, '\n');
    if (traits_.has_carriage_return) {
      for (auto at = lines.find('\r'); at != std::string_view::npos;
           at = lines.find('\r', at + 1)) {
        ends += lines.substr(at + 1).starts_with('\n') ? 0 : 1;
      }
    }
    line_ += static_cast<std::uint32_t>(ends);
  }

  void read_row() {
    const std::uint32_t line = line_;
    const std::string_view plain = text_.substr(position_, end_of_line(position_) - position_);
    Elements elements;
    bool is_closed = true;
    if (traits_.has_quote && plain.contains('"')) {
      is_closed = read_quoted_row(elements);
    } else {
      split_plain(plain, elements);
      position_ += plain.size();
    }
    if (!is_closed) {
      add_fault(line_, "a quote is never closed");
      position_ = end_of_line(position_);
    }
    take_line_end();
    if (is_closed && !(elements.count == 1 && elements.kept[0].empty())) add_row(line, elements);
  }

  [[nodiscard]] std::size_t end_of_line(std::size_t begin) const {
    const auto end =
        traits_.has_carriage_return ? text_.find_first_of("\r\n", begin) : text_.find('\n', begin);
    return std::min(end, text_.size());
  }

  static void split_plain(std::string_view line, Elements& elements) {
    while (true) {
      const auto comma = line.find(',');
      elements.add(line.substr(0, comma));
      if (comma == std::string_view::npos) return;
      line.remove_prefix(comma + 1);
    }
  }

  /// False where a quote is never closed; then the position is that quote. What follows it holds
  /// doubled quotes only, so that this happens once in a text.
  bool read_quoted_row(Elements& elements) {
    while (true) {
      const std::size_t begin = position_;
      const std::uint32_t line = line_;
      const auto element = read_element();
      if (!element) {
        position_ = begin;
        line_ = line;
        return false;
      }
      elements.add(*element);
      if (position_ == text_.size() || text_[position_] != ',') return true;
      ++position_;
    }
  }

  std::optional<std::string_view> read_element() {
    if (position_ == text_.size() || text_[position_] != '"') return take_bare();
    const std::size_t begin = ++position_;
    const auto end = text_.find('"', begin);
    if (end == std::string_view::npos) return std::nullopt;
    count_lines(begin, end);
    position_ = end + 1;
    const std::string_view inside = text_.substr(begin, end - begin);
    if (is_element_end()) return inside;
    return read_mixed_element(inside);
  }

  /// An element of several pieces: doubled quotes, and text behind the closing one, which Python's
  /// reader appends.
  std::optional<std::string_view> read_mixed_element(std::string_view inside) {
    // One reservation for all, outside the string object: views of it must not move.
    if (unquoted_.empty()) unquoted_.reserve(std::max(text_.size(), longest_path));
    const std::size_t start = unquoted_.size();
    unquoted_ += inside;
    while (position_ < text_.size() && text_[position_] == '"') {
      const std::size_t begin = ++position_;
      const auto end = text_.find('"', begin);
      if (end == std::string_view::npos) {
        unquoted_.resize(start);
        return std::nullopt;
      }
      count_lines(begin, end);
      unquoted_ += '"';
      unquoted_ += text_.substr(begin, end - begin);
      position_ = end + 1;
    }
    unquoted_ += take_bare();
    return std::string_view(unquoted_).substr(start);
  }

  std::string_view take_bare() {
    const std::size_t begin = position_;
    position_ = std::min(text_.find_first_of(",\r\n", begin), text_.size());
    return text_.substr(begin, position_ - begin);
  }

  [[nodiscard]] bool is_element_end() const {
    return position_ == text_.size() || std::string_view(",\r\n").contains(text_[position_]);
  }

  void take_line_end() {
    if (position_ < text_.size() && text_[position_] == '\r') ++position_;
    if (position_ < text_.size() && text_[position_] == '\n') ++position_;
    ++line_;
  }

  void count_lines(std::size_t begin, std::size_t end) {
    const std::string_view inside = text_.substr(begin, end - begin);
    line_ += static_cast<std::uint32_t>(std::ranges::count(inside, '\n'));
  }

  void add_row(std::uint32_t line, const Elements& elements) {
    const std::string_view path = elements.kept[0];
    if (const char* what = wrong_path(path, elements.count)) return add_fault(line, what);
    RecordRow row{.path = path, .hash = {}, .size = {}, .line = line};
    if (elements.count < 3) add_fault(line, "fewer than three elements");
    if (!elements.kept[1].empty()) row.hash = read_hash(line, elements.kept[1]);
    if (!elements.kept[2].empty()) {
      row.size = parse_decimal(elements.kept[2]);
      if (!row.size) add_fault(line, "the size is no number");
    }
    record_.rows_.push_back(row);
  }

  /// Why no file can be meant, or null.
  [[nodiscard]] const char* wrong_path(std::string_view path, std::size_t count) const {
    if (count > 3) return "more than three elements";
    if (path.empty()) return "the path is empty";
    if (path.size() > longest_path) return "the path is longer than 4096 bytes";
    if (traits_.has_nul && path.contains('\0')) return "the path holds a NUL";
    if (!traits_.is_ascii && !is_utf8(path)) return "the path is no UTF-8";
    return nullptr;
  }

  std::optional<RecordHash> read_hash(std::uint32_t line, std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
      add_fault(line, "the hash is not of the form ALGORITHM=DIGEST");
      return std::nullopt;
    }
    return RecordHash{text.substr(0, equals), text.substr(equals + 1)};
  }

  void add_fault(std::uint32_t line, std::string_view what) {
    ++record_.fault_count_;
    if (record_.faults_.size() == Record::most_faults) return;
    record_.faults_.push_back({line, std::string(what)});
  }

  std::string_view text_;
  Traits traits_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::string unquoted_;
  Record record_;
};

bool RowChoice::wants(std::string_view path) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.contains(infix) || std::ranges::find(names, name) != names.end();
}

Record Record::parse(Blob text) { return RecordReader(std::move(text)).read(); }

Record Record::parse(Blob text, const RowChoice& choice) {
  if (choice.is_everything()) return parse(std::move(text));
  return RecordReader(std::move(text)).read(choice);
}

bool is_record_itself(const RecordRow& row) {
  constexpr std::array<std::string_view, 3> names = {"RECORD", "RECORD.jws", "RECORD.p7s"};
  const auto slash = row.path.rfind('/');
  if (slash == std::string_view::npos) return false;
  return row.path.substr(0, slash).ends_with(".dist-info") &&
         std::ranges::find(names, row.path.substr(slash + 1)) != names.end();
}

}  // namespace whyso::python
