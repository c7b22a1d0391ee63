// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/tag.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/python/text_cursor.h"

namespace whyso::python {
namespace {

struct LegacyName {
  std::string_view prefix;
  unsigned minor;
};

constexpr std::array legacy_names = {LegacyName{"manylinux1_", 5}, LegacyName{"manylinux2010_", 12},
                                     LegacyName{"manylinux2014_", 17}};

std::optional<unsigned> take_number(TextCursor& cursor) {
  const auto number = parse_decimal(cursor.take_while(is_digit));
  if (!number || *number > 9999) return std::nullopt;
  return static_cast<unsigned>(*number);
}

/// "2_28_x86_64"
std::optional<PlatformTag> read_versioned(PlatformTag::Kind kind, std::string_view rest) {
  TextCursor cursor(rest);
  const auto major = take_number(cursor);
  if (!major || !cursor.take("_")) return std::nullopt;
  const auto minor = take_number(cursor);
  if (!minor || !cursor.take("_") || cursor.at_end()) return std::nullopt;
  return PlatformTag{.kind = kind, .major = *major, .minor = *minor, .machine = cursor.rest()};
}

bool is_new_enough(const PlatformTag& tag, const TagTarget& target) {
  return std::pair(target.libc_major, target.libc_minor) >= std::pair(tag.major, tag.minor);
}

bool is_libc_compatible(const PlatformTag& tag, const TagTarget& target) {
  if (tag.kind == PlatformTag::Kind::linux || target.libc == LibcKind::unknown) return true;
  const LibcKind wanted =
      tag.kind == PlatformTag::Kind::manylinux ? LibcKind::glibc : LibcKind::musl;
  // Each major version of musl has an ABI of its own; glibc is compatible across them.
  const bool is_same_major = wanted == LibcKind::glibc || tag.major == target.libc_major;
  return target.libc == wanted && is_same_major && is_new_enough(tag, target);
}

/// An interpreter tag: "cp311" is "cp", 3, 11; "py3" has no minor version.
struct InterpreterTag {
  std::string_view implementation;
  unsigned major = 0;
  std::optional<unsigned> minor;
};

std::optional<InterpreterTag> read_interpreter(std::string_view text) {
  TextCursor cursor(text);
  InterpreterTag tag;
  tag.implementation = cursor.take_while([](char c) { return !is_digit(c); });
  if (cursor.at_end()) return std::nullopt;
  tag.major = static_cast<unsigned>(cursor.peek() - '0');
  cursor.take_one(is_digit);
  if (cursor.at_end()) return tag;
  tag.minor = take_number(cursor);
  if (!tag.minor || !cursor.at_end()) return std::nullopt;
  return tag;
}

std::string_view short_name(Implementation implementation) {
  constexpr std::array<std::string_view, 3> names = {"cp", "pp", "graalpy"};
  return names[static_cast<std::size_t>(implementation)];
}

bool is_own_abi(std::string_view abi, const PythonBuild& python) {
  const std::string version = std::to_string(python.major) + std::to_string(python.minor);
  if (python.implementation == Implementation::pypy) {
    return abi.starts_with("pypy" + version + "_");
  }
  if (abi == "cp" + version + std::string(python.abi_flags)) return true;
  return python.abi_flags == "d" && abi == "cp" + version;
}

bool is_stable_abi(const InterpreterTag& tag, const PythonBuild& python) {
  return python.implementation == Implementation::cpython && !python.abi_flags.contains('t') &&
         tag.minor && *tag.minor >= 2 && *tag.minor <= python.minor;
}

}  // namespace

std::optional<TagSet> find_tag_set(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '-');
  if (parts.size() != 3) return std::nullopt;
  TagSet tags{split(parts[0], '.'), split(parts[1], '.'), split(parts[2], '.')};
  for (const auto* names : {&tags.interpreters, &tags.abis, &tags.platforms}) {
    if (std::ranges::find(*names, "") != names->end()) return std::nullopt;
  }
  return tags;
}

PlatformTag read_platform_tag(std::string_view tag) {
  using Kind = PlatformTag::Kind;
  if (tag == "any") return {.kind = Kind::any, .machine = {}};
  for (const LegacyName& legacy : legacy_names) {
    if (!tag.starts_with(legacy.prefix)) continue;
    return {.kind = Kind::manylinux,
            .major = 2,
            .minor = legacy.minor,
            .machine = tag.substr(legacy.prefix.size())};
  }
  constexpr std::string_view manylinux = "manylinux_";
  constexpr std::string_view musllinux = "musllinux_";
  constexpr std::string_view linux_prefix = "linux_";
  std::optional<PlatformTag> result;
  if (tag.starts_with(manylinux)) {
    result = read_versioned(Kind::manylinux, tag.substr(manylinux.size()));
  } else if (tag.starts_with(musllinux)) {
    result = read_versioned(Kind::musllinux, tag.substr(musllinux.size()));
  } else if (tag.starts_with(linux_prefix)) {
    result = PlatformTag{.kind = Kind::linux, .machine = tag.substr(linux_prefix.size())};
  }
  return result.value_or(PlatformTag{.kind = Kind::other, .machine = {}});
}

bool is_platform_compatible(const PlatformTag& tag, const TagTarget& target) {
  if (tag.kind == PlatformTag::Kind::any) return true;
  if (tag.kind == PlatformTag::Kind::other) return false;
  return tag.machine == target.machine && is_libc_compatible(tag, target);
}

bool is_python_compatible(std::string_view interpreter, std::string_view abi,
                          const TagTarget& target) {
  const PythonBuild& python = target.python;
  const auto tag = read_interpreter(interpreter);
  if (!tag || tag->major != python.major) return false;
  if (tag->implementation == "py") {
    return abi == "none" && (!tag->minor || *tag->minor <= python.minor);
  }
  if (tag->implementation != short_name(python.implementation)) return false;
  if (abi == "abi3") return is_stable_abi(*tag, python);
  return tag->minor == python.minor && (abi == "none" || is_own_abi(abi, python));
}

bool is_compatible(const TagSet& tags, const TagTarget& target) {
  const auto fits_with = [&](bool is_bound_to_abi) {
    return std::ranges::any_of(tags.platforms, [&](std::string_view platform) {
      // What is bound to an ABI is bound to a platform: installers know no "cp311-cp311-any".
      return !(is_bound_to_abi && platform == "any") &&
             is_platform_compatible(read_platform_tag(platform), target);
    });
  };
  return std::ranges::any_of(tags.abis, [&](std::string_view abi) {
    return fits_with(abi != "none") &&
           std::ranges::any_of(tags.interpreters, [&](auto interpreter) {
             return is_python_compatible(interpreter, abi, target);
           });
  });
}

}  // namespace whyso::python
