// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/version.h"

#include <algorithm>
#include <array>
#include <limits>

#include "whyso/base/text.h"
#include "whyso/python/text_cursor.h"

namespace whyso::python {
namespace {

bool is_separator(char c) { return c == '-' || c == '_' || c == '.'; }

bool is_all_digits(std::string_view text) { return std::ranges::all_of(text, is_digit); }

struct PreWord {
  std::string_view word;
  PreRelease kind;
};

/// Longer words before those they begin with.
constexpr std::array pre_words = {
    PreWord{"alpha", PreRelease::alpha},       PreWord{"a", PreRelease::alpha},
    PreWord{"beta", PreRelease::beta},         PreWord{"b", PreRelease::beta},
    PreWord{"preview", PreRelease::candidate}, PreWord{"pre", PreRelease::candidate},
    PreWord{"c", PreRelease::candidate},       PreWord{"rc", PreRelease::candidate}};
constexpr std::array<std::string_view, 3> post_words = {"post", "rev", "r"};
constexpr std::array<std::string_view, 3> pre_letters = {"a", "b", "rc"};

/// The number behind a word: "[-_.]?[0-9]*".
VersionNumber take_number(TextCursor& cursor) {
  cursor.take_one(is_separator);
  return VersionNumber(cursor.take_while(is_digit));
}

std::vector<VersionNumber> take_release(TextCursor& cursor) {
  std::vector<VersionNumber> release;
  TextCursor next = cursor;
  while (is_digit(next.peek())) {
    release.emplace_back(next.take_while(is_digit));
    cursor = next;
    if (!next.take(".")) break;
  }
  return release;
}

std::optional<VersionParts::Pre> take_pre(TextCursor& cursor) {
  TextCursor next = cursor;
  next.take_one(is_separator);
  const auto* found = std::ranges::find_if(
      pre_words, [&](const PreWord& pre) { return next.rest().starts_with(pre.word); });
  if (found == pre_words.end()) return std::nullopt;
  next.take(found->word);
  cursor = next;
  return VersionParts::Pre{found->kind, take_number(cursor)};
}

std::optional<VersionNumber> take_post(TextCursor& cursor) {
  TextCursor next = cursor;
  if (next.take("-") && is_digit(next.peek())) {
    cursor = next;
    return VersionNumber(cursor.take_while(is_digit));
  }
  next = cursor;
  next.take_one(is_separator);
  if (!std::ranges::any_of(post_words, [&](std::string_view word) { return next.take(word); })) {
    return std::nullopt;
  }
  cursor = next;
  return take_number(cursor);
}

std::optional<VersionNumber> take_dev(TextCursor& cursor) {
  TextCursor next = cursor;
  next.take_one(is_separator);
  if (!next.take("dev")) return std::nullopt;
  cursor = next;
  return take_number(cursor);
}

/// False where a '+' is followed by no well-formed label.
bool take_local(TextCursor& cursor, std::vector<std::string>& local) {
  if (!cursor.take("+")) return true;
  do {
    const std::string_view segment = cursor.take_while(is_alphanumeric);
    if (segment.empty()) return false;
    local.push_back(is_all_digits(segment) ? VersionNumber(segment).digits()
                                           : std::string(segment));
  } while (cursor.take_one(is_separator));
  return true;
}

/// `text` in lower case. The grammar is that of PEP 440, appendix B.
std::optional<VersionParts> read_parts(std::string_view text) {
  TextCursor cursor(text);
  VersionParts parts;
  cursor.take("v");
  TextCursor after_epoch = cursor;
  const std::string_view epoch = after_epoch.take_while(is_digit);
  if (!epoch.empty() && after_epoch.take("!")) {
    parts.epoch = VersionNumber(epoch);
    cursor = after_epoch;
  }
  parts.release = take_release(cursor);
  if (parts.release.empty()) return std::nullopt;
  parts.pre = take_pre(cursor);
  parts.post = take_post(cursor);
  parts.dev = take_dev(cursor);
  if (!take_local(cursor, parts.local) || !cursor.at_end()) return std::nullopt;
  return parts;
}

/// Numbers lie above words, as PEP 440 orders local labels.
std::strong_ordering compare_segments(const std::string& a, const std::string& b) {
  const bool is_number = is_all_digits(a);
  if (is_number != is_all_digits(b)) {
    return is_number ? std::strong_ordering::greater : std::strong_ordering::less;
  }
  if (is_number) return VersionNumber(a) <=> VersionNumber(b);
  return a <=> b;
}

std::strong_ordering compare_locals(const std::vector<std::string>& a,
                                    const std::vector<std::string>& b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (const auto order = compare_segments(a[i], b[i]); order != 0) return order;
  }
  return a.size() <=> b.size();
}

/// -1 where the missing pre-release sorts before every one, 1 where behind, 0 where there is one.
int pre_rank(const VersionParts& parts) {
  if (parts.pre) return 0;
  return !parts.post && parts.dev ? -1 : 1;
}

std::strong_ordering compare_pre(const VersionParts& a, const VersionParts& b) {
  if (const auto order = pre_rank(a) <=> pre_rank(b); order != 0) return order;
  return a.pre <=> b.pre;
}

/// Unlike optional's own order a missing development part comes last.
std::strong_ordering compare_dev(const VersionParts& a, const VersionParts& b) {
  if (a.dev && b.dev) return *a.dev <=> *b.dev;
  return b.dev.has_value() <=> a.dev.has_value();
}

std::strong_ordering compare(const VersionParts& a, const VersionParts& b) {
  if (const auto order = a.epoch <=> b.epoch; order != 0) return order;
  if (const auto order = compare_releases(a.release, b.release); order != 0) return order;
  if (const auto order = compare_pre(a, b); order != 0) return order;
  if (const auto order = a.post <=> b.post; order != 0) return order;
  if (const auto order = compare_dev(a, b); order != 0) return order;
  return compare_locals(a.local, b.local);
}

}  // namespace

VersionNumber::VersionNumber(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  if (first != std::string_view::npos) digits_ = std::string(digits.substr(first));
}

std::uint64_t VersionNumber::value() const {
  return parse_decimal(digits_).value_or(std::numeric_limits<std::uint64_t>::max());
}

std::strong_ordering VersionNumber::operator<=>(const VersionNumber& other) const {
  if (digits_.size() != other.digits_.size()) return digits_.size() <=> other.digits_.size();
  return digits_ <=> other.digits_;
}

Version Version::parse(std::string_view text) {
  Version version;
  version.text_ = std::string(text);
  version.parts_ = read_parts(lower(trim(text)));
  return version;
}

std::string Version::base_text() const {
  if (!parts_) return text_;
  std::string text;
  if (!parts_->epoch.is_zero()) text += parts_->epoch.digits() + "!";
  for (const VersionNumber& number : parts_->release) {
    if (&number != &parts_->release.front()) text += '.';
    text += number.digits();
  }
  return text;
}

std::string Version::public_text() const {
  std::string text = base_text();
  if (!parts_) return text;
  if (parts_->pre) {
    text += pre_letters[static_cast<std::size_t>(parts_->pre->kind)];
    text += parts_->pre->number.digits();
  }
  if (parts_->post) text += ".post" + parts_->post->digits();
  if (parts_->dev) text += ".dev" + parts_->dev->digits();
  return text;
}

std::string Version::normalized() const {
  std::string text = public_text();
  if (parts_ && !parts_->local.empty()) text += "+" + join(parts_->local, ".");
  return text;
}

bool Version::is_prerelease() const { return parts_ && (parts_->pre || parts_->dev); }

Version Version::without_local() const {
  Version version = *this;
  if (!version.parts_ || version.parts_->local.empty()) return version;
  version.parts_->local.clear();
  version.text_ = version.normalized();
  return version;
}

std::weak_ordering Version::operator<=>(const Version& other) const {
  if (parts_ && other.parts_) return compare(*parts_, *other.parts_);
  if (is_valid() != other.is_valid()) return is_valid() <=> other.is_valid();
  return text_ <=> other.text_;
}

std::strong_ordering compare_releases(const std::vector<VersionNumber>& a,
                                      const std::vector<VersionNumber>& b) {
  const VersionNumber zero;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const VersionNumber& left = i < a.size() ? a[i] : zero;
    const VersionNumber& right = i < b.size() ? b[i] : zero;
    if (const auto order = left <=> right; order != 0) return order;
  }
  return std::strong_ordering::equal;
}

}  // namespace whyso::python
