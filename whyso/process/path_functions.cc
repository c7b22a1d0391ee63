// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/path_functions.h"

#include <algorithm>
#include <array>

namespace whyso::process {
namespace {

using Function = TextValue (*)(const EvaluatedCall& call, const Scope& scope);

struct NamedFunction {
  std::string_view name;
  Function function;
};

TextValue argument(const EvaluatedCall& call, std::size_t index) {
  return index < call.arguments.size() ? call.arguments[index] : TextValue();
}

TextValue first(const EvaluatedCall& call, const Scope& /*scope*/) { return argument(call, 0); }

/// str(p), or p.resolve()
TextValue same(const EvaluatedCall& call, const Scope& /*scope*/) {
  return call.receiver.is_known() ? call.receiver : argument(call, 0);
}

TextValue join_from(TextValue value, const EvaluatedCall& call, std::size_t begin) {
  for (std::size_t i = begin; i < call.arguments.size(); ++i) {
    value = joined(value, call.arguments[i]);
  }
  return value;
}

TextValue join(const EvaluatedCall& call, const Scope& /*scope*/) {
  // "".join(...) is no path.
  return call.receiver.is_known() ? TextValue() : join_from(argument(call, 0), call, 1);
}

TextValue join_path(const EvaluatedCall& call, const Scope& /*scope*/) {
  return call.receiver.is_known() ? join_from(call.receiver, call, 0)
                                  : join_from(argument(call, 0), call, 1);
}

TextValue dirname(const EvaluatedCall& call, const Scope& /*scope*/) {
  return folder_of(argument(call, 0));
}

TextValue basename(const EvaluatedCall& call, const Scope& /*scope*/) {
  return name_of(argument(call, 0));
}

TextValue with_name(const EvaluatedCall& call, const Scope& /*scope*/) {
  return joined(folder_of(call.receiver), argument(call, 0));
}

/// glob.glob(pattern), or p.glob(pattern)
TextValue glob(const EvaluatedCall& call, const Scope& /*scope*/) {
  const TextValue pattern = argument(call, 0);
  return as_patterns(call.receiver.is_known() ? joined(call.receiver, pattern) : pattern);
}

/// os.listdir(p), p.iterdir()
TextValue list(const EvaluatedCall& call, const Scope& scope) {
  return as_patterns(joined(same(call, scope), TextValue::of("*")));
}

/// The default of os.environ.get(name, default).
TextValue second(const EvaluatedCall& call, const Scope& /*scope*/) { return argument(call, 1); }

TextValue package_folder(const EvaluatedCall& /*call*/, const Scope& scope) {
  return folder_of(scope.value_of("__file__"));
}

TextValue package_file(const EvaluatedCall& call, const Scope& scope) {
  return join_from(package_folder(call, scope), call, 1);
}

/// The finder of importlib.machinery for modules beside the source: its answer stands for the file.
TextValue find_spec(const EvaluatedCall& call, const Scope& scope) {
  if (call.callee.contains("util")) return {};
  const TextValue stem = joined(folder_of(scope.value_of("__file__")), argument(call, 0));
  return as_patterns(concatenated(stem, TextValue::of("*.so")));
}

TextValue format(const EvaluatedCall& call, const Scope& /*scope*/) {
  return formatted(call.receiver, call.arguments);
}

constexpr std::array functions = {
    NamedFunction{"join", join},
    NamedFunction{"joinpath", join_path},
    NamedFunction{"Path", join_path},
    NamedFunction{"PurePath", join_path},
    NamedFunction{"PosixPath", join_path},
    NamedFunction{"dirname", dirname},
    NamedFunction{"basename", basename},
    NamedFunction{"with_name", with_name},
    NamedFunction{"glob", glob},
    NamedFunction{"iglob", glob},
    NamedFunction{"rglob", glob},
    NamedFunction{"listdir", list},
    NamedFunction{"iterdir", list},
    NamedFunction{"abspath", same},
    NamedFunction{"realpath", same},
    NamedFunction{"normpath", same},
    NamedFunction{"expanduser", same},
    NamedFunction{"resolve", same},
    NamedFunction{"absolute", same},
    NamedFunction{"as_posix", same},
    NamedFunction{"fspath", same},
    NamedFunction{"str", same},
    NamedFunction{"strip", same},
    NamedFunction{"encode", same},
    NamedFunction{"sorted", first},
    NamedFunction{"list", first},
    NamedFunction{"tuple", first},
    NamedFunction{"set", first},
    NamedFunction{"iter", first},
    NamedFunction{"next", first},
    NamedFunction{"reversed", first},
    NamedFunction{"as_file", first},
    NamedFunction{"fsencode", same},
    NamedFunction{"getenv", second},
    NamedFunction{"files", package_folder},
    NamedFunction{"resource_filename", package_file},
    NamedFunction{"format", format},
    NamedFunction{"find_spec", find_spec},
};

void replace_field(std::string& text, std::string_view value, bool is_percent) {
  const std::size_t begin = text.find(is_percent ? '%' : '{');
  if (begin == std::string::npos) return;
  const std::size_t end = is_percent ? begin + 1 : text.find('}', begin);
  if (end == std::string::npos || end >= text.size()) return;
  text.replace(begin, end - begin + 1, value);
}

}  // namespace

std::optional<TextValue> call_path_function(const EvaluatedCall& call, const Scope& scope) {
  const std::string_view name = call.callee.substr(call.callee.rfind('.') + 1);
  const auto* const known = std::ranges::find(functions, name, &NamedFunction::name);
  if (known != functions.end()) return known->function(call, scope);
  if (name == "get" && call.callee.contains("environ")) return second(call, scope);
  return std::nullopt;
}

TextValue attribute_of(const TextValue& value, std::string_view attribute) {
  if (attribute == "parent" || attribute == "parents") return folder_of(value);
  if (attribute == "sep") return TextValue::of("/");
  if (attribute == "origin") return value;
  return attribute == "name" ? name_of(value) : TextValue();
}

TextValue formatted(const TextValue& form, const std::vector<TextValue>& values) {
  TextValue result;
  for (const auto& each : form.texts) {
    PossibleText made = each;
    const bool is_percent = made.text.contains('%');
    for (const auto& value : values) {
      const bool is_one = value.texts.size() == 1;
      if (!is_one) made.is_pattern = made.is_guess = true;
      replace_field(made.text, is_one ? std::string_view(value.texts[0].text) : "*", is_percent);
    }
    result.texts.push_back(std::move(made));
  }
  return result;
}

}  // namespace whyso::process
