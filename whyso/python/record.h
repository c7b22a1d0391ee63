// SPDX-License-Identifier: Apache-2.0
// RECORD: the list of files of an installed distribution (recording installed packages, PEP 376,
// PEP 627). Knows neither where the files lie nor whether they exist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/blob.h"

namespace whyso::python {

/// "sha256=47DEQp…" of a row.
struct RecordHash {
  std::string_view algorithm;  ///< the name that hashlib knows, as written
  std::string_view digest;     ///< urlsafe base64 without padding, as written

  bool operator==(const RecordHash&) const = default;
};

/// One file that the distribution owns. Views live as long as the Record or any copy of it.
struct RecordRow {
  std::string_view path;  ///< as written: relative to the folder of the dist-info, or absolute
  std::optional<RecordHash> hash;
  std::optional<std::uint64_t> size;
  std::uint32_t line = 0;  ///< the first of the row, from 1

  bool operator==(const RecordRow&) const = default;
};

/// What is wrong with a line.
struct RecordFault {
  std::uint32_t line = 0;
  std::string what;

  bool operator==(const RecordFault&) const = default;
};

/// Which rows are wanted, by the names of their files; by default all.
struct RowChoice {
  std::string infix;               ///< names that hold this; empty: every name does
  std::vector<std::string> names;  ///< and these

  [[nodiscard]] bool is_everything() const { return infix.empty(); }

  /// `path` as written, or a name alone.
  [[nodiscard]] bool wants(std::string_view path) const;
};

/// All that a RECORD says. Cost: one pass; memory in proportion to the number of rows.
class Record {
 public:
  /// As many rows are read at most; real ones have some ten thousand.
  static constexpr std::size_t most_rows = 400'000;
  /// What lies behind these bytes is not touched.
  static constexpr std::size_t most_bytes = std::size_t{48} * 1024 * 1024;
  /// As many faults are kept at most.
  static constexpr std::size_t most_faults = 100;

  /// CSV of Python's default dialect: '"' quotes, doubled inside; rows end at CR, LF or CRLF. A row
  /// without a usable path (empty, a NUL, longer than 4096 bytes, no UTF-8, more than three
  /// elements) becomes a fault; one whose hash or size alone is unreadable becomes a row without
  /// it, and a fault. A quote that is never closed spoils its own line only.
  static Record parse(Blob text);

  /// The same, but of all rows only those that are wanted; what is wrong with others is not found.
  /// Reads no line but theirs, where the text has no quotes.
  static Record parse(Blob text, const RowChoice& choice);

  [[nodiscard]] const std::vector<RecordRow>& rows() const { return rows_; }

  /// The first `most_faults` of them in the order of their lines.
  [[nodiscard]] const std::vector<RecordFault>& faults() const { return faults_; }
  [[nodiscard]] std::size_t fault_count() const { return fault_count_; }

  /// Bytes at the end that were not read because `most_rows` or `most_bytes` was reached.
  [[nodiscard]] std::size_t unread_bytes() const { return unread_bytes_; }

  [[nodiscard]] const Blob& text() const { return text_; }

 private:
  friend class RecordReader;

  Blob text_;
  Blob unquoted_;  // fields whose quotes had to be taken away
  std::vector<RecordRow> rows_;
  std::vector<RecordFault> faults_;
  std::size_t fault_count_ = 0;
  std::size_t unread_bytes_ = 0;
};

/// Does the row name the RECORD that it stands in, or a signature of it? Those have no hash.
[[nodiscard]] bool is_record_itself(const RecordRow& row);

}  // namespace whyso::python
