// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/file_list.h"

#include <optional>
#include <string>
#include <utility>

#include "whyso/base/hash.h"
#include "whyso/base/text.h"
#include "whyso/python/egg_info.h"

namespace whyso::environment {
namespace {

std::optional<int> hexadecimal_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char small = lower(c);
  if (small >= 'a' && small <= 'f') return small - 'a' + 10;
  return std::nullopt;
}

/// The bytes that pairs of digits stand for; nothing where it is no SHA-256.
std::optional<std::string> raw_sha256(std::string_view digits) {
  constexpr std::size_t bytes = 32;
  if (digits.size() != 2 * bytes) return std::nullopt;
  std::string raw;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = hexadecimal_digit(digits[i]);
    const auto low = hexadecimal_digit(digits[i + 1]);
    if (!high || !low) return std::nullopt;
    raw += static_cast<char>(*high * 16 + *low);
  }
  return raw;
}

}  // namespace

FileList::FileList(Path source, Path base, python::Record record)
    : source_(std::move(source)), base_(std::move(base)), record_(std::move(record)) {}

void FileList::keep(const python::RowChoice& choice) {
  std::erase_if(rows_, [&](const python::RecordRow& row) { return !choice.wants(row.path); });
}

FileList FileList::of_installed_files(Path source, Path base, const Blob& text) {
  FileList list(std::move(source), std::move(base), python::Record());
  list.text_ = text;
  std::uint32_t line = 0;
  for (std::string_view path : python::read_installed_files(text.text())) {
    list.rows_.push_back({.path = path, .line = ++line});
  }
  return list;
}

FileList FileList::of_conda(Path source, Path base, const python::CondaPackage& package) {
  FileList list(std::move(source), std::move(base), python::Record());
  std::string arena;
  struct Piece {
    std::size_t path = 0;
    std::size_t digest = 0;
    std::size_t end = 0;
  };
  std::vector<Piece> pieces;
  for (const python::CondaFile& file : package.files) {
    Piece piece{.path = arena.size()};
    arena += file.path;
    piece.digest = arena.size();
    const auto& sha256 = file.installed_sha256();
    const auto raw = sha256 ? raw_sha256(*sha256) : std::nullopt;
    if (raw) arena += base64url(*raw);
    piece.end = arena.size();
    pieces.push_back(piece);
  }
  list.text_ = Blob(std::move(arena));
  const std::string_view all = list.text_.text();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    const python::CondaFile& file = package.files[i];
    // The size is that of the packed file: it holds where conda changed nothing.
    const bool is_patched =
        file.sha256 && file.sha256_in_prefix && file.sha256 != file.sha256_in_prefix;
    python::RecordRow row{.path = all.substr(piece.path, piece.digest - piece.path),
                          .line = static_cast<std::uint32_t>(i + 1)};
    if (piece.end > piece.digest) {
      row.hash = {"sha256", all.substr(piece.digest, piece.end - piece.digest)};
    }
    if (!is_patched) row.size = file.size;
    list.rows_.push_back(row);
  }
  return list;
}

}  // namespace whyso::environment
