// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/opened_libraries.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/process/argument_list.h"
#include "whyso/process/condition.h"
#include "whyso/process/expression.h"
#include "whyso/process/source_words.h"

namespace whyso::process {
namespace {

using python::Block;
using python::BlockKind;
using python::SourceScan;
using python::Statement;

constexpr int deepest_call = 6;
constexpr std::size_t most_statements = 50'000;  // that are followed in one source
constexpr std::size_t most_opened = 500;

constexpr std::array<std::string_view, 5> openers = {"CDLL", "PyDLL", "LoadLibrary", "dlopen",
                                                     "load_library"};

std::string_view last_component(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::string_view first_name(std::string_view text) {
  const auto* end = std::ranges::find_if_not(text, [](char c) {
    return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) > 127;
  });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

class Interpreter {
 public:
  Interpreter(const SourceScan& scan, std::string_view file, PythonVersion version)
      : scan_(scan), version_(version) {
    globals()["__file__"] = TextValue::of(file);
    globals()["__path__"] = folder_of(TextValue::of(file));
    find_functions();
    scope_ = {.value_of = [this](std::string_view name) { return value_of(name); },
              .bind =
                  [this](std::string_view name, TextValue value) {
                    variables_[function_][std::string(name)] = std::move(value);
                  },
              .has_function = [this](std::string_view name) { return functions_.contains(name); },
              .call = [this](const EvaluatedCall& call) { return this->call(call); }};
  }

  std::vector<OpenedLibrary> run() {
    follow(0);
    return std::move(opened_);
  }

 private:
  using Variables = std::map<std::string, TextValue, std::less<>>;
  using Function = std::uint32_t;  // its body's block; 0: the module

  Variables& globals() { return variables_[0]; }

  /// Of each block the function that it belongs to, and whether it can be executed at all.
  void find_functions() {
    const auto count = scan_.blocks.size();
    functions_of_.resize(count);
    is_possible_.assign(count, true);
    for (std::size_t i = 1; i < count; ++i) {
      const Block& block = scan_.blocks[scan_.blocks.id(i)];
      const bool is_function = block.kind == BlockKind::function_body;
      functions_of_[i] = is_function ? static_cast<Function>(i) : functions_of_[block.parent.index];
      is_possible_[i] = is_possible_[block.parent.index] && !is_excluded(block);
    }
    for (std::size_t i = 0; i < scan_.statements.size(); ++i) {
      const Statement& statement = scan_.statements[i];
      statements_of_[functions_of_[statement.block.index]].push_back(i);
      if (statement.opens == BlockKind::function_body &&
          functions_of_[statement.block.index] == 0) {
        functions_.emplace(std::string(first_name(statement.text)), i);
      }
    }
  }

  [[nodiscard]] bool is_excluded(const Block& block) const {
    if (block.kind == BlockKind::if_body) return judge_condition(block.text, version_) == Truth::no;
    if (block.kind != BlockKind::else_body) return false;
    return judge_condition(block.text, version_) == Truth::yes;
  }

  TextValue value_of(std::string_view name) {
    for (const Function function : {function_, Function{0}}) {
      const auto& variables = variables_[function];
      const auto found = variables.find(name);
      if (found != variables.end()) return found->second;
    }
    return {};
  }

  void follow(Function function) {
    const auto statements = statements_of_.find(function);
    if (statements == statements_of_.end()) return;
    for (const std::size_t index : statements->second) {
      const Statement& statement = scan_.statements[index];
      if (!is_possible_[statement.block.index] || ++followed_ > most_statements) continue;
      if (function == 0) outer_ = index;
      inner_ = index;
      follow(statement);
    }
  }

  void follow(const Statement& statement) {
    if (statement.opens == BlockKind::function_body) return;
    if (statement.opens == BlockKind::loop_body) return follow_loop(statement.text);
    if (statement.opens == BlockKind::with_body) return follow_with(statement.text);
    const bool is_head = statement.opens != BlockKind::module;
    const std::size_t sign = is_head ? std::string_view::npos : find_assignment(statement.text);
    if (sign == std::string_view::npos) {
      const TextValue value = evaluate(statement.text, scope_, version_);
      if (statement.is_return) returned_.add(value);
    } else {
      assign(statement, sign);
    }
  }

  /// "for path in paths"
  void follow_loop(std::string_view head) {
    const std::size_t in = find_word_outside(head, "in");
    if (in == std::string_view::npos) {
      (void)evaluate(head, scope_, version_);
      return;
    }
    TextValue value = evaluate(head.substr(in + 2), scope_, version_);
    for (const auto target : parts_of(head.substr(0, in))) scope_.bind(trim(target), value);
  }

  void follow_with(std::string_view head) {
    for (const auto part : parts_of(head)) {
      const std::size_t as = find_word_outside(part, "as");
      TextValue value = evaluate(part.substr(0, as), scope_, version_);
      if (as != std::string_view::npos) scope_.bind(trim(part.substr(as + 2)), std::move(value));
    }
  }

  /// "a = b", "a: T = b", "a += b"; what stands in a block of its own may not be executed.
  void assign(const Statement& statement, std::size_t sign) {
    std::string_view target = trim(statement.text.substr(0, sign));
    const bool is_added = target.ends_with('+');
    if (is_added) target = trim(target.substr(0, target.size() - 1));
    target = trim(target.substr(0, target.find(':')));
    const std::string_view rest = statement.text.substr(sign + 1);
    const std::size_t next = find_assignment(rest);
    TextValue value =
        evaluate(next == std::string_view::npos ? rest : rest.substr(next + 1), scope_, version_);
    TextValue& variable = variables_[function_][std::string(target)];
    const bool is_sure = statement.block.index == function_;
    if (is_added) value = concatenated(variable, value);
    if (is_sure && !is_added) {
      variable = std::move(value);
    } else {
      variable.add(value);
    }
  }

  TextValue call(const EvaluatedCall& call) {
    const auto function = functions_.find(call.callee);
    if (function != functions_.end()) return call_function(function->second, call);
    if (std::ranges::find(openers, last_component(call.callee)) != openers.end()) open(call);
    return {};
  }

  TextValue call_function(std::size_t definition, const EvaluatedCall& call) {
    const Statement& head = scan_.statements[definition];
    const Function function = head.body.index;
    const bool is_running = std::ranges::find(running_, function) != running_.end();
    if (is_running || running_.size() >= deepest_call) return {};
    const Function caller = std::exchange(function_, function);
    const std::size_t statement = inner_;
    const TextValue returned = std::exchange(returned_, {});
    running_.push_back(function);
    bind_parameters(head.text, call);
    follow(function);
    running_.pop_back();
    function_ = caller;
    inner_ = statement;
    return std::exchange(returned_, returned);
  }

  void bind_parameters(std::string_view head, const EvaluatedCall& call) {
    Variables variables;
    const std::size_t open = head.find('(');
    if (open == std::string_view::npos) return;
    const std::size_t close = end_of_bracket(head, open + 1);
    std::size_t index = 0;
    for (const auto part : parts_of(head.substr(open + 1, close - open - 1))) {
      const std::string_view name = first_name(trim(part));
      if (name.empty()) continue;
      const std::size_t sign = find_assignment(part);
      TextValue value;
      if (sign != std::string_view::npos) value = evaluate(part.substr(sign + 1), scope_, version_);
      if (index < call.arguments.size()) value = call.arguments[index];
      for (const auto& [key, given] : call.named) {
        if (key == name) value = given;
      }
      variables[std::string(name)] = std::move(value);
      ++index;
    }
    variables_[function_] = std::move(variables);
  }

  void open(const EvaluatedCall& call) {
    if (opened_.size() == most_opened) return;
    TextValue names;
    if (!call.arguments.empty()) names = call.arguments[0];
    for (const auto& [key, value] : call.named) {
      if (key == "name" || key == "path") names = value;
    }
    const bool is_numpy = call.callee.ends_with("load_library") && call.arguments.size() == 2;
    if (is_numpy) names = numpy_names(names, call.arguments[1]);
    const bool is_nothing = trim(call.text) == "None" || call.text.starts_with("None,");
    if (is_nothing || trim(call.text).empty()) return;  // the program itself, or another function
    const Statement& outer = scan_.statements[outer_];
    const std::string_view opener = last_component(call.callee);
    opened_.push_back({.names = std::move(names),
                       .is_strict = opener == "CDLL" || opener == "PyDLL",
                       .line = outer.line,
                       .block = outer.block,
                       .is_in_function = function_ != 0,
                       .inner_block = scan_.statements[inner_].block});
  }

  /// numpy.ctypeslib.load_library(name, folder or file beside it)
  static TextValue numpy_names(const TextValue& name, const TextValue& beside) {
    TextValue folders = beside;
    folders.add(folder_of(beside));
    TextValue files = name;
    files.add(concatenated(name, TextValue::of(".so")));
    return joined(folders, files);
  }

  const SourceScan& scan_;
  PythonVersion version_;
  Scope scope_;
  std::map<Function, Variables> variables_;
  std::map<std::string, std::size_t, std::less<>> functions_;  // name to the statement of its head
  std::map<Function, std::vector<std::size_t>> statements_of_;
  std::vector<Function> functions_of_;  // by block
  std::vector<bool> is_possible_;       // by block
  std::vector<Function> running_;
  std::vector<OpenedLibrary> opened_;
  TextValue returned_;
  Function function_ = 0;
  std::size_t outer_ = 0;  // statements that are followed
  std::size_t inner_ = 0;
  std::size_t followed_ = 0;
};

}  // namespace

bool may_open_libraries(std::string_view text) {
  return std::ranges::any_of(openers, [&](std::string_view word) {
    return find_part(text, word) != std::string_view::npos;
  });
}

std::vector<OpenedLibrary> find_opened_libraries(const SourceScan& scan, std::string_view file,
                                                 PythonVersion version) {
  return Interpreter(scan, file, version).run();
}

}  // namespace whyso::process
