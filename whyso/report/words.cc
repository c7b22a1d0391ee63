// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/words.h"

#include <array>

namespace whyso::report {
namespace {

template <std::size_t N, class Enum>
std::string_view pick(const std::array<std::string_view, N>& words, Enum value) {
  return words.at(static_cast<std::size_t>(value));
}

}  // namespace

std::string_view word_of(check::Severity severity) {
  return pick(std::array<std::string_view, 3>{"note", "warning", "error"}, severity);
}

std::string_view word_of(check::Confidence confidence) {
  return pick(std::array<std::string_view, 3>{"certain", "likely", "possible"}, confidence);
}

std::string_view word_of(check::Applicability safety) {
  return pick(std::array<std::string_view, 3>{"safe", "unsafe", "manual"}, safety);
}

std::string_view word_of(check::Category::State state) {
  return pick(std::array<std::string_view, 5>{"sound", "note", "warning", "error", "not-looked-at"},
              state);
}

std::string_view word_of(ErrorKind kind) {
  return pick(std::array<std::string_view, 5>{"not-permitted", "io", "malformed", "unsupported",
                                              "changed-while-read"},
              kind);
}

std::string_view word_of(change::Burden burden) {
  return pick(std::array<std::string_view, 4>{"load-bearing", "optional", "inert", "not-known"},
              burden);
}

std::string_view word_of(change::Installer installer) {
  return pick(std::array<std::string_view, 2>{"pip", "uv"}, installer);
}

Tally tally(const check::Report& report) {
  Tally tally;
  for (const auto& finding : report.findings) {
    if (finding.severity == check::Severity::error) ++tally.errors;
    if (finding.severity == check::Severity::warning) ++tally.warnings;
    if (finding.severity == check::Severity::note) ++tally.notes;
  }
  return tally;
}

}  // namespace whyso::report
