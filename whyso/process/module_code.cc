// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/module_code.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/process/condition.h"
#include "whyso/process/module_level.h"
#include "whyso/process/opened_libraries.h"
#include "whyso/process/taken_names.h"
#include "whyso/python/import_scan.h"

namespace whyso::process {
namespace {

using python::Block;
using python::BlockKind;
using python::ImportScan;
using python::Outcome;

/// Absent: never executed.
using Execution = std::optional<Certainty>;

constexpr std::size_t most_shared = 20'000;  // imports of a file that are compared by branches
constexpr auto never = std::numeric_limits<std::uint32_t>::max();

/// A module and, where it is not empty, a member that may be a submodule.
struct Imported {
  std::string module;
  std::string member;
  auto operator<=>(const Imported&) const = default;
};
using ImportedSet = std::set<Imported>;

bool swallows(Outcome outcome) {
  return outcome == Outcome::swallowed || outcome == Outcome::unknown;
}

bool swallows(const python::ImportHandlers& handlers) {
  return swallows(handlers.import_error) || swallows(handlers.module_not_found);
}

/// Managers that hand on what their body raises, as far as the head tells; others may swallow it.
bool hands_on_failures(std::string_view head) {
  return head.contains("catch_warnings") || head.starts_with("open(") || head.contains("lock");
}

class CodeReader {
 public:
  CodeReader(std::string_view text, const ModuleContext& context) : text_(text), context_(context) {
    const bool opens = !context.file.empty() && may_open_libraries(text);
    if (opens) {
      scan_ = python::scan_statements(text);
    } else {
      static_cast<ImportScan&>(scan_) = python::scan_imports(text);
    }
  }

  ModuleCode read() {
    if (const auto end = find_end_of_execution(text_)) end_ = *end;
    find_called();
    find_partners();
    judge_blocks();
    find_leading_imports();
    ModuleCode code{.is_cut_off = scan_.is_cut_off};
    for (std::size_t i = 0; i < scan_.imports.size(); ++i) add(code, i);
    add_shared(code);
    if (!scan_.statements.empty()) add_openings(code);
    return code;
  }

 private:
  [[nodiscard]] const Block& block(std::size_t index) const {
    return scan_.blocks[scan_.blocks.id(index)];
  }

  /// Functions that stand in no class and no other function.
  [[nodiscard]] bool is_plain_function(const Block& at) const {
    if (at.kind != BlockKind::function_body) return false;
    for (Id<Block> up = at.parent; up.index != 0; up = scan_.blocks[up].parent) {
      const BlockKind kind = scan_.blocks[up].kind;
      if (kind == BlockKind::function_body || kind == BlockKind::class_body) return false;
    }
    return true;
  }

  void find_called() {
    std::vector<std::string_view> functions;
    for (const Block& at : scan_.blocks) {
      if (is_plain_function(at)) functions.push_back(at.text);
    }
    if (!functions.empty()) called_ = called_functions(text_, functions);
  }

  /// Bodies by what tells the parts of one statement: the block around it and its line.
  void find_partners() {
    for (std::size_t i = 1; i < scan_.blocks.size(); ++i) {
      const Block& at = block(i);
      partners_.emplace(std::tuple(at.parent.index, at.line, at.kind), i);
    }
  }

  [[nodiscard]] std::optional<std::size_t> find_partner(const Block& at, BlockKind kind) const {
    const auto partner = partners_.find(std::tuple(at.parent.index, at.line, kind));
    if (partner == partners_.end()) return std::nullopt;
    return partner->second;
  }

  void judge_blocks() {
    executions_.resize(scan_.blocks.size());
    executions_[0] = Certainty::certain;
    for (std::size_t i = 1; i < executions_.size(); ++i) {
      const Execution outer = executions_[block(i).parent.index];
      const Execution inner = outer ? execution_of(block(i)) : std::nullopt;
      if (outer && inner) executions_[i] = std::max(*outer, *inner);
    }
  }

  /// Of a block, seen from the one around it.
  [[nodiscard]] Execution execution_of(const Block& at) const {
    switch (at.kind) {
      case BlockKind::module:
      case BlockKind::class_body:
      case BlockKind::finally_body:
        return Certainty::certain;
      case BlockKind::function_body:
        if (!called_.contains(at.text) || !is_plain_function(at)) return std::nullopt;
        return Certainty::conditional;
      case BlockKind::if_body:
        return if_it_holds(judge(at));
      case BlockKind::else_body:
        return if_it_holds(opposite(judge(at)));
      case BlockKind::try_body:
        return swallows(at.handlers) ? Certainty::guarded : Certainty::certain;
      case BlockKind::try_else:
        return ends_a_strict_try(at) ? Certainty::certain : Certainty::guarded;
      case BlockKind::with_body:
        return hands_on_failures(at.text) ? Certainty::certain : Certainty::guarded;
      default:
        return Certainty::conditional;
    }
  }

  /// Of an else body: does every except clause of its try statement end in `raise`?
  [[nodiscard]] bool ends_a_strict_try(const Block& at) const {
    const auto body = find_partner(at, BlockKind::try_body);
    return body && !block(*body).may_go_on;
  }

  [[nodiscard]] Truth judge(const Block& at) const {
    return judge_condition(at.text, context_.version);
  }

  static Truth opposite(Truth truth) {
    if (truth == Truth::unknown) return truth;
    return truth == Truth::yes ? Truth::no : Truth::yes;
  }

  static Execution if_it_holds(Truth truth) {
    if (truth == Truth::no) return std::nullopt;
    return truth == Truth::yes ? Certainty::certain : Certainty::conditional;
  }

  /// Of one import. Its try body may be left before it by a failure that is no import's.
  [[nodiscard]] Execution execution_of(std::size_t import) const {
    const auto& statement = scan_.imports[import];
    const Execution execution = executions_[statement.block.index];
    if (!execution) return std::nullopt;
    if (statement.line > end_) return Certainty::conditional;
    return std::max(*execution, certainty_in_block(import));
  }

  [[nodiscard]] Certainty certainty_in_block(std::size_t import) const {
    for (Id<Block> at = scan_.imports[import].block; at.index != 0; at = scan_.blocks[at].parent) {
      if (scan_.blocks[at].kind != BlockKind::try_body || !scan_.blocks[at].may_go_on) continue;
      const bool is_first = at == scan_.imports[import].block && leads_[import];
      if (!is_first) return Certainty::guarded;
    }
    return Certainty::certain;
  }

  /// Those before which their block holds nothing but imports and comments.
  void find_leading_imports() {
    const std::vector<std::string_view> lines = lines_of(text_);
    std::vector<std::uint32_t> last_line(scan_.blocks.size());  // of leading imports, by block
    for (std::size_t i = 0; i < last_line.size(); ++i) last_line[i] = block(i).line;
    for (const auto& statement : scan_.imports) {
      std::uint32_t& last = last_line[statement.block.index];
      const bool leads = last != never && is_blank_between(lines, last, statement.line);
      last = leads ? statement.line : never;
      leads_.push_back(leads);
    }
  }

  /// Nothing but comments on the lines between the two?
  static bool is_blank_between(const std::vector<std::string_view>& lines, std::uint32_t line,
                               std::uint32_t next) {
    for (std::size_t i = line; i + 1 < next && i < lines.size(); ++i) {
      const std::string_view content = trim(lines[i]);
      if (!content.empty() && !content.starts_with('#')) return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<Guard> guards_of(Id<Block> block) const {
    std::vector<Guard> guards;
    for (Id<Block> at = block; at.index != 0; at = scan_.blocks[at].parent) {
      const Block& around = scan_.blocks[at];
      if (around.kind == BlockKind::function_body) break;
      if (around.handlers != python::ImportHandlers()) {
        guards.push_back({at.index, around.handlers});
      }
    }
    return guards;
  }

  void add_openings(ModuleCode& code) {
    source_.file = context_.file;
    source_.taken = taken_names(scan_, context_.name, context_.is_package);
    std::uint32_t inner_block = std::uint32_t{1} << 31;  // no number of a block of the module
    for (auto& opened : find_opened_libraries(source_, context_.version, context_.find_source)) {
      const Execution execution = executions_[opened.block.index];
      if (!execution) continue;
      LibraryOpening made{.names = std::move(opened.names),
                          .strictness = opened.strictness,
                          .certainty = *execution,
                          .line = opened.line};
      if (opened.line > end_ || !opened.is_sure) made.certainty = Certainty::conditional;
      for (const auto& handlers : opened.handlers) made.guards.push_back({inner_block++, handlers});
      for (auto& guard : guards_of(opened.block)) made.guards.push_back(guard);
      code.openings.push_back(std::move(made));
    }
    std::ranges::stable_sort(code.openings, {}, &LibraryOpening::line);
  }

  void add(ModuleCode& code, std::size_t import) const {
    const auto& statement = scan_.imports[import];
    const Execution execution = execution_of(import);
    const auto module = absolute_name(statement, context_.name, context_.is_package);
    if (!execution || !module || module->empty()) return;
    ImportStatement made{.module = *module,
                         .certainty = *execution,
                         .line = statement.line,
                         .guards = guards_of(statement.block)};
    for (const auto& name : statement.names) {
      if (name.name == "*") made.takes_all = true;
      if (name.name != "*") made.members.push_back(name.name);
    }
    code.imports.push_back(std::move(made));
  }

  /// What both branches of an undecided `if` import is as certain as the `if` itself.
  void add_shared(ModuleCode& code) {
    if (scan_.imports.size() > most_shared || !has_undecided_pair()) return;
    std::vector<ImportedSet> needed(executions_.size());
    for (std::size_t i = 0; i < scan_.imports.size(); ++i) {
      const std::size_t at = scan_.imports[i].block.index;
      if (certainty_in_block(i) == Certainty::certain && scan_.imports[i].line <= end_) {
        collect(scan_.imports[i], needed[at]);
      }
    }
    for (std::size_t i = executions_.size(); i-- > 1;) hand_up(i, needed, code);
    std::ranges::stable_sort(code.imports, {}, &ImportStatement::line);
  }

  [[nodiscard]] bool has_undecided_pair() const {
    for (std::size_t i = 1; i < executions_.size(); ++i) {
      if (executions_[i] && find_else(i)) return true;
    }
    return false;
  }

  /// The else body of an undecided if body, where imports stand in it.
  [[nodiscard]] std::optional<std::size_t> find_else(std::size_t index) const {
    const Block& at = block(index);
    if (at.kind != BlockKind::if_body || judge(at) != Truth::unknown) return std::nullopt;
    const auto other = find_partner(at, BlockKind::else_body);
    if (!other || block(*other).text != at.text) return std::nullopt;
    return other;
  }

  void collect(const python::ImportStatement& statement, ImportedSet& needed) const {
    const auto module = absolute_name(statement, context_.name, context_.is_package);
    if (!module) return;
    for (auto dot = module->find('.'); dot != std::string::npos; dot = module->find('.', dot + 1)) {
      const std::string outer = module->substr(0, dot);
      needed.insert({outer, ""});
      needed.insert({outer, module->substr(dot + 1, module->find('.', dot + 1) - dot - 1)});
    }
    needed.insert({*module, ""});
    for (const auto& name : statement.names) {
      if (name.name != "*") needed.insert({*module, name.name});
    }
  }

  /// Children come after their parents, so that a block is complete when it is handed up.
  void hand_up(std::size_t index, std::vector<ImportedSet>& needed, ModuleCode& code) const {
    const Block& at = block(index);
    const std::size_t parent = at.parent.index;
    if (at.kind == BlockKind::function_body || !executions_[index]) return;
    if (execution_of(at) == Certainty::certain) {
      needed[parent].insert(needed[index].begin(), needed[index].end());
      return;
    }
    const auto other = find_else(index);
    if (!other || !executions_[parent]) return;
    for (const Imported& imported : needed[index]) {
      if (!needed[*other].contains(imported)) continue;
      needed[parent].insert(imported);
      code.imports.push_back({.module = imported.module,
                              .certainty = *executions_[parent],
                              .line = at.line,
                              .guards = guards_of(at.parent)});
      if (!imported.member.empty()) code.imports.back().members.push_back(imported.member);
    }
  }

  std::string_view text_;
  const ModuleContext& context_;
  SourceOfModule source_;
  python::SourceScan& scan_ = source_.scan;
  std::uint32_t end_ = never;
  std::set<std::string_view> called_;
  std::vector<Execution> executions_;  ///< by block
  std::vector<bool> leads_;            ///< by import
  std::map<std::tuple<std::uint32_t, std::uint32_t, BlockKind>, std::size_t> partners_;
};

}  // namespace

ModuleCode read_module_code(std::string_view text, const ModuleContext& context) {
  return CodeReader(text, context).read();
}

}  // namespace whyso::process
