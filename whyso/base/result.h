// SPDX-License-Identifier: Apache-2.0
// Values that may be missing for a reason: Result, Error, Lookup. Knows no domain.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>
#include <variant>

namespace whyso {

/// Why we could not do our work. A fault of what is examined is a finding, never an Error.
enum class ErrorKind : std::uint8_t {
  not_permitted,       ///< the system refused (EACCES, EPERM)
  io,                  ///< the system failed otherwise
  malformed,           ///< the bytes break the rules of their format
  unsupported,         ///< a format or feature that we do not know
  changed_while_read,  ///< the file was written while it was read
};

/// A reason with its place. `where` names a file (and a line or an offset where one is known),
/// `what` is a sentence part without a full stop.
struct Error {
  ErrorKind kind = ErrorKind::io;
  std::string where;
  std::string what;

  /// "WHERE: WHAT", or WHAT alone where no place is known.
  [[nodiscard]] std::string text() const { return where.empty() ? what : where + ": " + what; }

  bool operator==(const Error&) const = default;
};

template <class T>
using Result = std::expected<T, Error>;

/// An Error as a failed Result.
inline std::unexpected<Error> failure(ErrorKind kind, std::string where, std::string what) {
  return std::unexpected(Error{kind, std::move(where), std::move(what)});
}

/// The thing is known not to be there; unlike an Error this is an answer.
struct Absent {
  bool operator==(const Absent&) const = default;
};

/// What a search in the world answers: present with its value, absent, or unreadable with the
/// reason. Never a bool, so that "not there" and "could not look" cannot be confused.
template <class T>
class [[nodiscard]] Lookup {
 public:
  Lookup(Absent absent)
      : state_(absent) {}  // NOLINT(google-explicit-constructor): reads as a value
  Lookup(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Lookup(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_present() const { return std::holds_alternative<T>(state_); }
  [[nodiscard]] bool is_absent() const { return std::holds_alternative<Absent>(state_); }
  [[nodiscard]] bool is_unreadable() const { return std::holds_alternative<Error>(state_); }

  /// Only where `is_present()`.
  [[nodiscard]] const T& value() const& { return std::get<T>(state_); }
  [[nodiscard]] T& value() & { return std::get<T>(state_); }
  [[nodiscard]] T&& value() && { return std::get<T>(std::move(state_)); }

  /// Only where `is_unreadable()`.
  [[nodiscard]] const Error& error() const { return std::get<Error>(state_); }

  /// The value, or null where absent or unreadable.
  [[nodiscard]] const T* find() const { return std::get_if<T>(&state_); }

  bool operator==(const Lookup&) const = default;

 private:
  std::variant<Absent, T, Error> state_;
};

/// A Result that failed for want of the thing counts as unreadable: absence must be said as Absent.
template <class T>
Lookup<T> lookup(Result<T> result) {
  if (result) return Lookup<T>(*std::move(result));
  return Lookup<T>(std::move(result).error());
}

}  // namespace whyso

/// The value of a Result, or a return with its Error from the enclosing function.
#define TRY(...)                                                                        \
  __extension__({                                                                       \
    auto whyso_try_result = (__VA_ARGS__);                                              \
    if (!whyso_try_result) return std::unexpected(std::move(whyso_try_result).error()); \
    *std::move(whyso_try_result);                                                       \
  })

/// The same for a Result<void>.
#define TRY_VOID(...)                                                                   \
  do {                                                                                  \
    auto whyso_try_result = (__VA_ARGS__);                                              \
    if (!whyso_try_result) return std::unexpected(std::move(whyso_try_result).error()); \
  } while (false)
