// SPDX-License-Identifier: Apache-2.0
// The files that a distribution says it installed, whatever wrote them down, as rows of one form.
#pragma once

#include <vector>

#include "whyso/base/blob.h"
#include "whyso/base/path.h"
#include "whyso/python/conda_meta.h"
#include "whyso/python/record.h"

namespace whyso::environment {

/// Rows in the order in which they were written. Views live as long as the list or a copy of it.
class FileList {
 public:
  FileList() = default;

  /// Of RECORD: paths are relative to `base`, the site folder.
  FileList(Path source, Path base, python::Record record);

  /// Of installed-files.txt: paths without hashes, relative to `base`, the egg-info folder.
  static FileList of_installed_files(Path source, Path base, const Blob& text);

  /// Of conda-meta: relative to the prefix; digests are rewritten as RECORD has them. A row's line
  /// is its number.
  static FileList of_conda(Path source, Path base, const python::CondaPackage& package);

  /// Drops the rows that are not wanted.
  void keep(const python::RowChoice& choice);

  [[nodiscard]] const Path& source() const { return source_; }
  [[nodiscard]] const Path& base() const { return base_; }
  [[nodiscard]] const std::vector<python::RecordRow>& rows() const {
    return rows_.empty() ? record_.rows() : rows_;
  }
  /// Of RECORD only: lines that could not be read.
  [[nodiscard]] const python::Record& record() const { return record_; }

 private:
  Path source_;
  Path base_;
  python::Record record_;
  Blob text_;
  std::vector<python::RecordRow> rows_;
};

}  // namespace whyso::environment
