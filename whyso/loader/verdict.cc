// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/verdict.h"

#include <array>
#include <cerrno>
#include <utility>

#include "whyso/base/check.h"

namespace whyso::loader {
namespace {

constexpr std::array<std::string_view, 13> verdict_words{
    "taken",
    "no such file",
    "no such directory",
    "not a directory",
    "permission denied",
    "too many symbolic links",
    "name too long",
    "cannot be opened",
    "other ELF class",
    "other machine",
    "made for another kernel",
    "not set-user-ID",
    "refused",
};

struct ErrnoText {
  int number;
  std::string_view text;
  bool is_known_to_ld_so;  ///< dl-minimal.c, __strerror_r
};

constexpr std::array<ErrnoText, 18> errno_texts{{
    {EPERM, "Operation not permitted", true},
    {ENOENT, "No such file or directory", true},
    {EIO, "Input/output error", true},
    {ENXIO, "No such device or address", false},
    {ENOEXEC, "Exec format error", false},
    {EBADF, "Bad file descriptor", false},
    {ENOMEM, "Cannot allocate memory", true},
    {EACCES, "Permission denied", true},
    {EBUSY, "Device or resource busy", false},
    {ENODEV, "No such device", false},
    {ENOTDIR, "Not a directory", false},
    {EISDIR, "Is a directory", false},
    {EINVAL, "Invalid argument", true},
    {ENFILE, "Too many open files in system", false},
    {EMFILE, "Too many open files", false},
    {ETXTBSY, "Text file busy", false},
    {ENAMETOOLONG, "File name too long", false},
    {ELOOP, "Too many levels of symbolic links", false},
}};

}  // namespace

std::string_view words_of(Verdict verdict) {
  const auto index = static_cast<std::size_t>(std::to_underlying(verdict));
  WHYSO_CHECK(index < verdict_words.size());
  return verdict_words[index];
}

std::string errno_text(int error_number, Speaker speaker) {
  const bool is_libc = speaker == Speaker::dlopen;
  for (const ErrnoText& known : errno_texts) {
    if (known.number == error_number && (is_libc || known.is_known_to_ld_so)) {
      return std::string(known.text);
    }
  }
  return (is_libc ? "Unknown error " : "Error ") + std::to_string(error_number);
}

std::string LoadError::text(Speaker speaker) const {
  std::string text = object.empty() ? what : object + ": " + what;
  if (error_number != 0) text += ": " + errno_text(error_number, speaker);
  return text;
}

}  // namespace whyso::loader
