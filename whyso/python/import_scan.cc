// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/import_scan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/python/import_clause.h"
#include "whyso/python/source_cursor.h"

namespace whyso::python {
namespace {

/// A block of the source. Most hold no import and are forgotten at the end.
struct Node {
  BlockKind kind = BlockKind::module;
  std::uint32_t parent = 0;
  std::uint32_t line = 0;
  std::string_view text;
  ImportHandlers handlers;
  bool may_go_on = false;
};

/// What an "elif", "else", "except" or "finally" would belong to.
struct Continued {
  enum class Statement : std::uint8_t { none, conditional, attempt, loop };
  Statement statement = Statement::none;
  std::uint32_t node = 0;    // the body of the if, try or loop
  std::uint32_t parent = 0;  // the block that the statement stands in
};

struct OpenBlock {
  std::uint32_t node = 0;
  int column = -1;  // of the head
  bool is_match = false;
  bool ends_in_raise = false;
  Continued continued;
  std::uint32_t attempt = 0;  // of an except body: its try body
};

/// The arguments of contextlib.suppress(…), if the head of a with statement calls it.
std::optional<std::string_view> find_suppressed(std::string_view head) {
  constexpr std::string_view call = "suppress(";
  const auto begin = head.find(call);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = head.substr(begin + call.size());
  return rest.substr(0, rest.find(')'));
}

ImportHandlers handlers_of_with(std::string_view head) {
  const auto suppressed = find_suppressed(head);
  if (!suppressed || trim(*suppressed).empty()) return {};
  return with_clause({}, *suppressed, false);
}

std::string_view first_word(std::string_view head) { return SourceCursor(head).take_word(); }

class ImportScanner {
 public:
  ImportScanner(std::string_view source, bool keeps_all)
      : source_(source), cursor_(source), keeps_all_(keeps_all) {
    nodes_.emplace_back();
    open_.emplace_back();
  }

  SourceScan scan() {
    while (const auto column = cursor_.next_line()) {
      while (open_.back().column >= static_cast<int>(*column)) close_block();
      read_line(static_cast<int>(*column));
    }
    while (open_.size() > 1) close_block();
    return finish();
  }

 private:
  using Open = bool (ImportScanner::*)(int column, std::uint32_t line);
  struct Head {
    std::string_view word;
    Open open;
  };

  static const std::array<Head, 14> heads;

  void read_line(int column) {
    const SourceCursor before = cursor_;
    const std::string_view word = cursor_.take_word();
    const auto* head = std::ranges::find(heads, word, &Head::word);
    if (head == heads.end()) return read_statements(word);
    if (!(this->*(head->open))(column, cursor_.line())) {
      cursor_ = before;
      return read_statements(cursor_.take_word());
    }
    if (cursor_.is_line_end()) {
      cursor_.skip_statement();
      return;
    }
    read_statements(cursor_.take_word());
    close_block();
  }

  /// The rest of a logical line, whose first word was read.
  void read_statements(std::string_view word) {
    open_.back().continued = {};
    while (true) {
      open_.back().ends_in_raise = word == "raise";
      const bool is_import = word == "import" || word == "from";
      if (is_import) read_import_statement(word);
      if (keeps_all_ && !is_import) {
        if (!keep_statement(word)) return;
      } else if (!cursor_.skip_statement()) {
        return;
      }
      if (cursor_.is_line_end()) break;
      word = cursor_.take_word();
    }
    cursor_.skip_statement();
  }

  /// Goes behind the statement, as skip_statement does.
  bool keep_statement(std::string_view word) {
    const bool is_return = word == "return";
    const std::uint32_t line = cursor_.line();
    const std::size_t begin = cursor_.position() - (is_return ? 0 : word.size());
    const bool goes_on = cursor_.skip_statement();
    std::string_view text = trim(source_.substr(begin, cursor_.position() - begin));
    if (goes_on && text.ends_with(';')) text.remove_suffix(1);
    statements_.push_back({.text = text,
                           .is_return = is_return,
                           .line = line,
                           .block = {open_.back().node},
                           .body = {}});
    return goes_on;
  }

  void keep_head(const Node& node, std::string_view text, std::uint32_t body) {
    if (!keeps_all_) return;
    statements_.push_back({.text = text,
                           .opens = node.kind,
                           .line = node.line,
                           .block = {open_.back().node},
                           .body = {body}});
  }

  void read_import_statement(std::string_view word) {
    const std::uint32_t line = cursor_.line();
    auto statements = word == "import" ? read_import(cursor_) : read_from_import(cursor_);
    for (ImportStatement& statement : statements) {
      statement.line = line;
      statement.scope = scope();
      statement.block.index = open_.back().node;
      imports_.push_back(std::move(statement));
    }
  }

  [[nodiscard]] ImportScope scope() const {
    if (functions_ > 0) return ImportScope::function_body;
    return classes_ > 0 ? ImportScope::class_body : ImportScope::module;
  }

  std::uint32_t add_node(Node node) {
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  OpenBlock& open_body(int column, std::uint32_t node) {
    if (nodes_[node].kind == BlockKind::function_body) ++functions_;
    if (nodes_[node].kind == BlockKind::class_body) ++classes_;
    return open_.emplace_back(OpenBlock{.node = node, .column = column, .continued = {}});
  }

  void close_block() {
    const OpenBlock block = open_.back();
    open_.pop_back();
    if (block.is_match) return;
    const Node& node = nodes_[block.node];
    if (node.kind == BlockKind::function_body) --functions_;
    if (node.kind == BlockKind::class_body) --classes_;
    if (node.kind != BlockKind::except_body) return;
    Node& attempt = nodes_[block.attempt];
    attempt.handlers = with_clause(attempt.handlers, node.text, block.ends_in_raise);
    attempt.may_go_on = attempt.may_go_on || !block.ends_in_raise;
  }

  template <BlockKind kind, Continued::Statement statement>
  bool open_statement(int column, std::uint32_t line) {
    const auto head = cursor_.take_head();
    if (!head) return false;
    OpenBlock& block = open_.back();
    Node node{.kind = kind, .parent = block.node, .line = line, .text = *head, .handlers = {}};
    if (kind == BlockKind::class_body || kind == BlockKind::function_body) {
      node.text = first_word(*head);
    }
    if (kind == BlockKind::with_body) node.handlers = handlers_of_with(*head);
    const std::uint32_t body = add_node(node);
    keep_head(node, *head, body);
    block.ends_in_raise = false;
    block.continued = {.statement = statement, .node = body, .parent = block.node};
    open_body(column, body);
    return true;
  }

  /// "async def", "async for", "async with"
  bool open_async(int column, std::uint32_t line) {
    cursor_.skip_blanks();
    const std::string_view word = cursor_.take_word();
    if (word != "def" && word != "for" && word != "with") return false;
    const auto* head = std::ranges::find(heads, word, &Head::word);
    cursor_.skip_blanks();
    return (this->*(head->open))(column, line);
  }

  bool open_elif(int column, std::uint32_t line) {
    const Continued before = open_.back().continued;
    if (before.statement != Continued::Statement::conditional) return false;
    const auto head = cursor_.take_head();
    if (!head) return false;
    const std::uint32_t outer = add_node(else_node(before));
    const std::uint32_t body = add_node(
        {.kind = BlockKind::if_body, .parent = outer, .line = line, .text = *head, .handlers = {}});
    open_.back().continued = {.statement = before.statement, .node = body, .parent = outer};
    open_body(column, body);
    return true;
  }

  bool open_else(int column, std::uint32_t /*line*/) {
    const Continued before = open_.back().continued;
    if (before.statement == Continued::Statement::none || !cursor_.take_head()) return false;
    open_body(column, add_node(else_node(before)));
    return true;
  }

  [[nodiscard]] Node else_node(const Continued& before) const {
    const Node& body = nodes_[before.node];
    Node node{.parent = before.parent, .line = body.line, .text = {}, .handlers = {}};
    if (before.statement == Continued::Statement::conditional) {
      node.kind = BlockKind::else_body;
      node.text = body.text;
      return node;
    }
    const bool is_loop = before.statement == Continued::Statement::loop;
    node.kind = is_loop ? BlockKind::loop_else : BlockKind::try_else;
    return node;
  }

  bool open_except(int column, std::uint32_t line) {
    const Continued before = open_.back().continued;
    if (before.statement != Continued::Statement::attempt) return false;
    const auto head = cursor_.take_head();
    if (!head) return false;
    const std::uint32_t body = add_node({.kind = BlockKind::except_body,
                                         .parent = before.parent,
                                         .line = line,
                                         .text = *head,
                                         .handlers = {}});
    open_body(column, body).attempt = before.node;
    return true;
  }

  bool open_finally(int column, std::uint32_t /*line*/) {
    const Continued before = open_.back().continued;
    if (before.statement != Continued::Statement::attempt || !cursor_.take_head()) return false;
    Node node = else_node(before);
    node.kind = BlockKind::finally_body;
    open_body(column, add_node(node));
    return true;
  }

  /// "match" is a name like any other unless a ':' ends the line. Its block is there for its cases.
  bool open_match(int column, std::uint32_t /*line*/) {
    const auto head = cursor_.take_head();
    if (!head || head->empty() || !cursor_.is_line_end()) return false;
    open_.back().ends_in_raise = false;
    open_.back().continued = {};
    const std::uint32_t node = open_.back().node;
    open_.push_back({.node = node, .column = column, .is_match = true, .continued = {}});
    return true;
  }

  bool open_case(int column, std::uint32_t line) {
    if (!open_.back().is_match) return false;
    return open_statement<BlockKind::case_body, Continued::Statement::none>(column, line);
  }

  /// Keeps the blocks that an import stands in.
  SourceScan finish() {
    std::vector<bool> is_kept(nodes_.size(), keeps_all_);
    is_kept[0] = true;
    for (const ImportStatement& statement : imports_) {
      for (auto at = statement.block.index; !is_kept[at]; at = nodes_[at].parent) {
        is_kept[at] = true;
      }
    }
    SourceScan result;
    result.is_cut_off = cursor_.has_ended_inside();
    std::vector<Id<Block>> ids(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!is_kept[i]) continue;
      const Node& node = nodes_[i];
      ids[i] = result.blocks.add({.kind = node.kind,
                                  .parent = ids[node.parent],
                                  .line = node.line,
                                  .text = std::string(node.text),
                                  .handlers = node.handlers,
                                  .may_go_on = node.may_go_on});
    }
    for (ImportStatement& statement : imports_) statement.block = ids[statement.block.index];
    for (Statement& statement : statements_) {
      statement.block = ids[statement.block.index];
      statement.body = ids[statement.body.index];
    }
    result.statements = std::move(statements_);
    result.imports = std::move(imports_);
    return result;
  }

  std::string_view source_;
  SourceCursor cursor_;
  bool keeps_all_;
  std::vector<Statement> statements_;
  std::vector<Node> nodes_;
  std::vector<OpenBlock> open_;
  std::vector<ImportStatement> imports_;
  std::size_t functions_ = 0;
  std::size_t classes_ = 0;
};

using Of = Continued::Statement;

constexpr std::array<ImportScanner::Head, 14> ImportScanner::heads = {{
    {"def", &ImportScanner::open_statement<BlockKind::function_body, Of::none>},
    {"class", &ImportScanner::open_statement<BlockKind::class_body, Of::none>},
    {"if", &ImportScanner::open_statement<BlockKind::if_body, Of::conditional>},
    {"try", &ImportScanner::open_statement<BlockKind::try_body, Of::attempt>},
    {"for", &ImportScanner::open_statement<BlockKind::loop_body, Of::loop>},
    {"while", &ImportScanner::open_statement<BlockKind::loop_body, Of::loop>},
    {"with", &ImportScanner::open_statement<BlockKind::with_body, Of::none>},
    {"async", &ImportScanner::open_async},
    {"elif", &ImportScanner::open_elif},
    {"else", &ImportScanner::open_else},
    {"except", &ImportScanner::open_except},
    {"finally", &ImportScanner::open_finally},
    {"match", &ImportScanner::open_match},
    {"case", &ImportScanner::open_case},
}};

}  // namespace

ImportScan scan_imports(std::string_view source) { return ImportScanner(source, false).scan(); }

SourceScan scan_statements(std::string_view source) { return ImportScanner(source, true).scan(); }

bool is_type_checking(std::string_view condition) {
  const std::string_view name = trim(condition);
  return name == "TYPE_CHECKING" || name.ends_with(".TYPE_CHECKING");
}

}  // namespace whyso::python
