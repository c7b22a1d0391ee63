// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/opened_libraries.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
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
using python::Statement;

constexpr std::size_t deepest_call = 6;
constexpr std::size_t most_statements = 50'000;  // that are followed for one source
constexpr std::size_t most_opened = 500;
constexpr int longest_chain = 4;  // modules that hand on a function

constexpr std::array<std::string_view, 5> openers = {"CDLL", "PyDLL", "LoadLibrary", "dlopen",
                                                     "load_library"};
constexpr std::array<std::string_view, 5> opening_words = {"CDLL", "PyDLL", "LoadLibrary", "dlopen",
                                                           "load_lib"};

std::string_view last_component(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::string_view first_name(std::string_view text) {
  const auto* end = std::ranges::find_if_not(text, [](char c) {
    return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) > 127;
  });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

class Interpreter;

/// What all interpreters of one run share.
struct Run {
  PythonVersion version;
  const FindSource& find_source;
  std::map<std::string, std::unique_ptr<Interpreter>, std::less<>> foreign = {};
  std::vector<OpenedLibrary> opened = {};
  const Statement* statement = nullptr;               // of the module that is asked about
  std::vector<const Block*> running = {};             // functions
  std::vector<python::ImportHandlers> handlers = {};  // around their calls
  std::size_t followed = 0;
  bool is_sure = true;     // what is reached now is reached whenever the statement is
  bool is_silent = false;  // another module is executed for its variables
};

/// Follows the statements of one module.
class Interpreter {
 public:
  Interpreter(const SourceOfModule& source, Run& run)
      : source_(source), run_(run), blocks_(source.scan.blocks) {
    variables_[0]["__file__"] = TextValue::of(source.file);
    variables_[0]["__path__"] = folder_of(TextValue::of(source.file));
    find_functions();
    scope_ = {.value_of = [this](std::string_view name) { return value_of(name); },
              .bind = [this](std::string_view name,
                             TextValue value) { variable(name) = std::move(value); },
              .has_function = [this](std::string_view name) { return functions_.contains(name); },
              .call = [this](const EvaluatedCall& call) { return this->call(call); }};
  }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  void follow_module(bool is_asked_about) {
    is_asked_about_ = is_asked_about;
    follow(0);
  }

  /// Nothing where the module has no such function and takes none.
  std::optional<TextValue> call_by_name(std::string_view name, const EvaluatedCall& call,
                                        int chain) {
    const auto function = functions_.find(name);
    if (function != functions_.end()) return call_function(function->second, call);
    const auto taken = source_.taken.find(name);
    if (taken == source_.taken.end() || taken->second.name.empty()) return std::nullopt;
    return call_foreign(taken->second.module, taken->second.name, call, chain);
  }

 private:
  using Variables = std::map<std::string, TextValue, std::less<>>;
  using Function = std::uint32_t;  // its body's block; 0: the module

  TextValue& variable(std::string_view name) { return variables_[function_][std::string(name)]; }

  /// Of each block the function that it belongs to, and whether it can be executed at all.
  void find_functions() {
    functions_of_.resize(blocks_.size());
    is_possible_.assign(blocks_.size(), true);
    for (std::size_t i = 1; i < blocks_.size(); ++i) {
      const Block& block = blocks_[blocks_.id(i)];
      const bool is_function = block.kind == BlockKind::function_body;
      functions_of_[i] = is_function ? static_cast<Function>(i) : functions_of_[block.parent.index];
      is_possible_[i] = is_possible_[block.parent.index] && judge(block) != Truth::no;
    }
    for (std::size_t i = 0; i < source_.scan.statements.size(); ++i) {
      const Statement& statement = source_.scan.statements[i];
      const Function function = functions_of_[statement.block.index];
      statements_of_[function].push_back(i);
      const bool is_plain = statement.opens == BlockKind::function_body && function == 0;
      if (is_plain) functions_.emplace(std::string(first_name(statement.text)), i);
    }
  }

  /// Is the block executed whenever the one around it is?
  [[nodiscard]] Truth judge(const Block& block) const {
    if (block.kind == BlockKind::if_body) return judge_condition(block.text, run_.version);
    if (block.kind == BlockKind::else_body) {
      const Truth truth = judge_condition(block.text, run_.version);
      if (truth == Truth::unknown) return truth;
      return truth == Truth::yes ? Truth::no : Truth::yes;
    }
    const bool is_sure = block.kind == BlockKind::with_body || block.kind == BlockKind::try_body ||
                         block.kind == BlockKind::class_body ||
                         block.kind == BlockKind::finally_body;
    return is_sure ? Truth::yes : Truth::unknown;
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
    const bool was_sure = run_.is_sure;
    bool may_have_left = false;
    for (const std::size_t index : statements->second) {
      const Statement& statement = source_.scan.statements[index];
      if (!is_possible_[statement.block.index] || ++run_.followed > most_statements) continue;
      if (function == 0 && is_asked_about_) run_.statement = &statement;
      const bool is_module = function == 0;
      run_.is_sure = was_sure && (is_module || (!may_have_left && is_reached(statement)));
      inner_ = &statement;
      follow(statement);
      may_have_left |= statement.is_return && !is_answered(statement);
    }
    run_.is_sure = was_sure;
  }

  /// Whenever its function is called?
  [[nodiscard]] bool is_reached(const Statement& statement) const {
    for (Id<Block> at = statement.block; at.index != function_ && at.index != 0;
         at = blocks_[at].parent) {
      if (judge(blocks_[at]) != Truth::yes) return false;
    }
    return true;
  }

  /// "if not paths: return", where there are some.
  bool is_answered(const Statement& statement) {
    const Block& block = blocks_[statement.block];
    constexpr std::string_view negation = "not ";
    if (block.kind != BlockKind::if_body || !block.text.starts_with(negation)) return false;
    return value_of(trim(std::string_view(block.text).substr(negation.size()))).is_known();
  }

  void follow(const Statement& statement) {
    if (statement.opens == BlockKind::function_body) return;
    if (statement.opens == BlockKind::loop_body) return follow_loop(statement.text);
    if (statement.opens == BlockKind::with_body) return follow_with(statement.text);
    const bool is_head = statement.opens != BlockKind::module;
    const std::size_t sign = is_head ? std::string_view::npos : find_assignment(statement.text);
    if (sign == std::string_view::npos) {
      const TextValue value = evaluate(statement.text, scope_, run_.version);
      if (statement.is_return) returned_.add(value);
    } else {
      assign(statement, sign);
    }
  }

  /// "for path in paths"
  void follow_loop(std::string_view head) {
    const std::size_t in = find_word_outside(head, "in");
    if (in == std::string_view::npos) {
      (void)evaluate(head, scope_, run_.version);
      return;
    }
    const TextValue value = evaluate(head.substr(in + 2), scope_, run_.version);
    for (const auto target : parts_of(head.substr(0, in))) variable(trim(target)) = value;
  }

  void follow_with(std::string_view head) {
    for (const auto part : parts_of(head)) {
      const std::size_t as = find_word_outside(part, "as");
      TextValue value = evaluate(part.substr(0, as), scope_, run_.version);
      if (as != std::string_view::npos) variable(trim(part.substr(as + 2))) = std::move(value);
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
    TextValue value = evaluate(next == std::string_view::npos ? rest : rest.substr(next + 1),
                               scope_, run_.version);
    TextValue& known = variable(target);
    if (is_added) value = concatenated(known, value);
    if (statement.block.index == function_ && !is_added) {
      known = std::move(value);
    } else {
      known.add(value);
    }
  }

  TextValue call(const EvaluatedCall& call) {
    if (auto value = call_by_name(call.callee, call, longest_chain)) return *std::move(value);
    const auto dot = call.callee.rfind('.');
    if (dot != std::string_view::npos) {
      const auto taken = source_.taken.find(call.callee.substr(0, dot));
      if (taken != source_.taken.end()) {
        const TakenName& module = taken->second;
        const std::string name =
            module.name.empty() ? module.module : module.module + "." + module.name;
        auto value = call_foreign(name, call.callee.substr(dot + 1), call, longest_chain);
        if (value) return *std::move(value);
      }
    }
    if (std::ranges::find(openers, last_component(call.callee)) != openers.end()) open(call);
    return {};
  }

  std::optional<TextValue> call_foreign(std::string_view module, std::string_view name,
                                        const EvaluatedCall& call, int chain) {
    if (chain == 0) return std::nullopt;
    auto known = run_.foreign.find(module);
    if (known == run_.foreign.end()) {
      const SourceOfModule* source = run_.find_source ? run_.find_source(module) : nullptr;
      known = run_.foreign.emplace(std::string(module), nullptr).first;
      if (source == nullptr) return std::nullopt;
      known->second = std::make_unique<Interpreter>(*source, run_);
      const bool was_silent = std::exchange(run_.is_silent, true);
      known->second->follow_module(false);
      run_.is_silent = was_silent;
    }
    if (known->second == nullptr) return std::nullopt;
    return known->second->call_by_name(name, call, chain - 1);
  }

  TextValue call_function(std::size_t definition, const EvaluatedCall& call) {
    const Statement& head = source_.scan.statements[definition];
    const Function function = head.body.index;
    const Block* const body = &blocks_[head.body];
    const bool is_running = std::ranges::find(run_.running, body) != run_.running.end();
    if (is_running || run_.running.size() >= deepest_call) return {};
    const Function caller = std::exchange(function_, function);
    const Statement* const statement = inner_;
    const TextValue returned = std::exchange(returned_, {});
    const auto handlers = run_.handlers;
    if (caller != 0 && statement != nullptr) add_handlers(*statement, caller);
    run_.running.push_back(body);
    bind_parameters(head.text, call);
    follow(function);
    run_.running.pop_back();
    run_.handlers = handlers;
    function_ = caller;
    inner_ = statement;
    return std::exchange(returned_, returned);
  }

  /// Of the blocks around a statement of a function; those of the module are known otherwise.
  void add_handlers(const Statement& statement, Function function) {
    std::vector<python::ImportHandlers> inner;
    for (Id<Block> at = statement.block; at.index != function && at.index != 0;
         at = blocks_[at].parent) {
      if (blocks_[at].handlers != python::ImportHandlers()) inner.push_back(blocks_[at].handlers);
    }
    run_.handlers.insert(run_.handlers.begin(), inner.begin(), inner.end());
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
      if (sign != std::string_view::npos) {
        value = evaluate(part.substr(sign + 1), scope_, run_.version);
      }
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
    const bool is_asked = !run_.is_silent && run_.statement != nullptr;
    if (!is_asked || run_.opened.size() == most_opened) return;
    TextValue names;
    if (!call.arguments.empty()) names = call.arguments[0];
    for (const auto& [key, value] : call.named) {
      if (key == "name" || key == "path") names = value;
    }
    const bool is_numpy = call.callee.ends_with("load_library") && call.arguments.size() == 2;
    if (is_numpy) names = numpy_names(names, call.arguments[1]);
    const bool is_nothing = trim(call.text) == "None" || call.text.starts_with("None,");
    if (is_nothing || trim(call.text).empty()) return;  // the program itself, or another function
    OpenedLibrary opened{.names = std::move(names),
                         .strictness = strictness_of(call.callee),
                         .line = run_.statement->line,
                         .block = run_.statement->block,
                         .is_sure = run_.is_sure,
                         .handlers = {}};
    const auto outer = run_.handlers;
    if (function_ != 0) add_handlers(*inner_, function_);
    opened.handlers = std::exchange(run_.handlers, outer);
    run_.opened.push_back(std::move(opened));
  }

  static Strictness strictness_of(std::string_view callee) {
    const std::string_view opener = last_component(callee);
    if (opener == "CDLL" || opener == "PyDLL") return Strictness::os_error;
    return callee.ends_with("ops.load_library") ? Strictness::torch_ops : Strictness::unknown;
  }

  /// numpy.ctypeslib.load_library(name, folder or file beside it)
  static TextValue numpy_names(const TextValue& name, const TextValue& beside) {
    TextValue folders = beside;
    folders.add(folder_of(beside));
    TextValue files = name;
    files.add(concatenated(name, TextValue::of(".so")));
    return joined(folders, files);
  }

  const SourceOfModule& source_;
  Run& run_;
  const Table<Block>& blocks_;
  Scope scope_;
  std::map<Function, Variables> variables_;
  std::map<std::string, std::size_t, std::less<>> functions_;  // name to the statement of its head
  std::map<Function, std::vector<std::size_t>> statements_of_;
  std::vector<Function> functions_of_;  // by block
  std::vector<bool> is_possible_;       // by block
  TextValue returned_;
  Function function_ = 0;
  const Statement* inner_ = nullptr;  // that is followed
  bool is_asked_about_ = false;
};

}  // namespace

bool may_open_libraries(std::string_view text) {
  return std::ranges::any_of(opening_words, [&](std::string_view word) {
    return find_part(text, word) != std::string_view::npos;
  });
}

std::vector<OpenedLibrary> find_opened_libraries(const SourceOfModule& source,
                                                 PythonVersion version,
                                                 const FindSource& find_source) {
  Run run{.version = version, .find_source = find_source};
  Interpreter(source, run).follow_module(true);
  return std::move(run.opened);
}

}  // namespace whyso::process
