// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/module_name.h"

#include <algorithm>
#include <array>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/python/text_cursor.h"

namespace whyso::python {
namespace {

bool is_identifier_character(char c) {
  return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_letter(char c) { return is_alphanumeric(c) && !is_digit(c); }

/// Reads "311" as 3 and 11.
bool take_version(TextCursor& cursor, ExtensionTag& tag) {
  const std::string_view digits = cursor.take_while(is_digit);
  if (digits.size() < 2 || digits.size() > 4) return false;
  tag.major = static_cast<unsigned>(digits[0] - '0');
  tag.minor = static_cast<unsigned>(parse_decimal(digits.substr(1)).value_or(0));
  return true;
}

/// "-PLATFORM" or nothing.
bool take_platform(TextCursor& cursor, ExtensionTag& tag) {
  if (cursor.at_end()) return true;
  if (!cursor.take("-")) return false;
  tag.platform = cursor.rest();
  return !tag.platform.empty();
}

/// "311d-x86_64-linux-gnu"
bool read_cpython(TextCursor cursor, ExtensionTag& tag) {
  if (!take_version(cursor, tag)) return false;
  tag.abi_flags = cursor.take_while(is_letter);
  return take_platform(cursor, tag);
}

/// "310-pp73-x86_64-linux-gnu"
bool read_pypy(TextCursor cursor, ExtensionTag& tag) {
  if (!take_version(cursor, tag) || !cursor.take("-pp")) return false;
  cursor.take_while(is_digit);
  return take_platform(cursor, tag);
}

/// "242-311-native-x86_64-linux"
bool read_graalpy(TextCursor cursor, ExtensionTag& tag) {
  cursor.take_while(is_digit);
  if (!cursor.take("-") || !take_version(cursor, tag) || !cursor.take("-native")) return false;
  return take_platform(cursor, tag);
}

struct TagForm {
  std::string_view prefix;
  Implementation implementation;
  bool (*read)(TextCursor, ExtensionTag&);
};

constexpr std::array tag_forms = {TagForm{"cpython-", Implementation::cpython, read_cpython},
                                  TagForm{"pypy", Implementation::pypy, read_pypy},
                                  TagForm{"graalpy", Implementation::graalpy, read_graalpy}};

/// `text` is what stands between the module and ".so".
std::optional<ExtensionTag> read_tag(std::string_view text) {
  ExtensionTag tag;
  if (text == "abi3") {
    tag.kind = ExtensionTag::Kind::stable_abi;
    return tag;
  }
  const auto* form = std::ranges::find_if(
      tag_forms, [&](const TagForm& one) { return text.starts_with(one.prefix); });
  if (form == tag_forms.end()) return std::nullopt;
  tag.kind = ExtensionTag::Kind::tagged;
  tag.implementation = form->implementation;
  if (!form->read(TextCursor(text.substr(form->prefix.size())), tag)) return std::nullopt;
  return tag;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> debian_machines = {{
    {"powerpc64le", "ppc64le"},
    {"powerpc64", "ppc64"},
    {"i386", "i686"},
    {"arm", "armv7l"},
}};

}  // namespace

std::vector<std::string> extension_suffixes(const PythonBuild& build) {
  if (build.implementation != Implementation::cpython) return {".so"};
  const std::string version = std::to_string(build.major) + std::to_string(build.minor);
  const std::string platform = build.platform.empty() ? "" : "-" + std::string(build.platform);
  std::vector<std::string> suffixes;
  suffixes.push_back(".cpython-" + version + std::string(build.abi_flags) + platform + ".so");
  if (build.abi_flags.contains('d')) {
    const std::string release = replace_all(build.abi_flags, "d", "");
    suffixes.push_back(".cpython-" + version + release + platform + ".so");
  }
  if (!build.abi_flags.contains('t')) suffixes.emplace_back(".abi3.so");
  suffixes.emplace_back(".so");
  return suffixes;
}

std::optional<ExtensionModuleName> find_extension_module(std::string_view file_name) {
  constexpr std::string_view suffix = ".so";
  if (!file_name.ends_with(suffix)) return std::nullopt;
  const std::string_view stem = file_name.substr(0, file_name.size() - suffix.size());
  const auto dot = stem.find('.');
  ExtensionModuleName result;
  result.module = stem.substr(0, dot);
  if (!is_identifier(result.module)) return std::nullopt;
  if (dot == std::string_view::npos) return result;
  const auto tag = read_tag(stem.substr(dot + 1));
  if (!tag) return std::nullopt;
  result.tag = *tag;
  return result;
}

bool is_importable_by(const ExtensionTag& tag, const PythonBuild& build) {
  if (tag.kind == ExtensionTag::Kind::plain) return true;
  if (tag.kind == ExtensionTag::Kind::stable_abi) {
    return build.implementation == Implementation::cpython && !build.abi_flags.contains('t');
  }
  if (tag.implementation != build.implementation) return false;
  if (tag.major != build.major || tag.minor != build.minor) return false;
  if (tag.platform != build.platform && !tag.platform.empty() && !build.platform.empty()) {
    return false;
  }
  const bool is_release_of_debug =
      build.abi_flags.contains('d') && replace_all(build.abi_flags, "d", "") == tag.abi_flags;
  return tag.abi_flags == build.abi_flags || is_release_of_debug;
}

std::string_view machine_of(std::string_view platform) {
  const std::string_view machine = platform.substr(0, platform.find('-'));
  const auto* found =
      std::ranges::find(debian_machines, machine, &decltype(debian_machines)::value_type::first);
  return found == debian_machines.end() ? machine : found->second;
}

std::optional<std::string_view> find_source_module(std::string_view file_name) {
  constexpr std::string_view suffix = ".py";
  if (!file_name.ends_with(suffix)) return std::nullopt;
  const std::string_view module = file_name.substr(0, file_name.size() - suffix.size());
  if (!is_identifier(module)) return std::nullopt;
  return module;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, is_identifier_character);
}

}  // namespace whyso::python
