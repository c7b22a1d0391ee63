// SPDX-License-Identifier: Apache-2.0
// Compares the import scan with Python's own parser on real files: its standard library.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "whyso/base/text.h"
#include "whyso/python/ask_python_test.h"
#include "whyso/python/import_scan.h"

namespace whyso::python {
namespace {

/// Prints for each file "FILE", then a line for each import as `describe` does, from the syntax
/// tree.
constexpr std::string_view script = R"(
import ast, io, os, sys, sysconfig, tokenize, warnings
warnings.simplefilter('ignore')
sys.setrecursionlimit(10000)

CAUGHT = {'BaseException': 'imo', 'Exception': 'imo', 'ImportError': 'im',
          'ModuleNotFoundError': 'm', 'OSError': 'o', 'IOError': 'o', 'EnvironmentError': 'o'}

def caught(node):
    if node is None:
        return {c: 'yes' for c in 'imo'}
    result = {c: 'no' for c in 'imo'}
    for one in node.elts if isinstance(node, ast.Tuple) else [node]:
        name = getattr(one, 'id', getattr(one, 'attr', None))
        if name in CAUGHT:
            result.update({c: 'yes' for c in CAUGHT[name]})
        elif name is None or not (name.lstrip('_')[:1].isupper() and not name.isupper()):
            result.update({c: 'perhaps' for c in 'imo' if result[c] == 'no'})
    return result

def handlers(node):
    outcome = {c: 'propagates' for c in 'imo'}
    for handler in node.handlers:
        raises = isinstance(handler.body[-1], ast.Raise)
        for c, catches in caught(handler.type).items():
            if outcome[c] in ('propagates', 'unknown'):
                if catches == 'yes':
                    outcome[c] = 'raised' if raises else 'swallowed'
                elif catches == 'perhaps':
                    outcome[c] = 'unknown'
    return ','.join(outcome.values())

def body(nodes, chain):
    for node in nodes:
        statement(node, chain)

def statement(node, chain):
    line = getattr(node, 'lineno', 0)
    if isinstance(node, ast.Import):
        for name in node.names:
            print(line, 0, name.name, name.asname or '', '', *chain, sep='|')
    elif isinstance(node, ast.ImportFrom):
        names = ','.join(f'{n.name} as {n.asname or n.name}' for n in node.names)
        print(line, node.level, node.module or '', '', names, *chain, sep='|')
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        body(node.body, chain + [f'function {line} {node.name}'])
    elif isinstance(node, ast.ClassDef):
        body(node.body, chain + [f'class {line} {node.name}'])
    elif isinstance(node, ast.If):
        body(node.body, chain + [f'if {line}'])
        body(node.orelse, chain + [f'else {line}'])
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        body(node.body, chain + [f'loop {line}'])
        body(node.orelse, chain + [f'loop-else {line}'])
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        body(node.body, chain + [f'with {line}'])
    elif isinstance(node, (ast.Try, getattr(ast, 'TryStar', ast.Try))):
        body(node.body, chain + [f'try {line} {handlers(node)}'])
        for handler in node.handlers:
            body(handler.body, chain + [f'except {handler.lineno}'])
        body(node.orelse, chain + [f'try-else {line}'])
        body(node.finalbody, chain + [f'finally {line}'])
    elif isinstance(node, getattr(ast, 'Match', ())):
        for case in node.cases:
            body(case.body, chain + [f'case {case.pattern.lineno}'])

def files(roots):
    for root in roots:
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(set(folders) - set(SKIPPED))
            for name in sorted(names):
                if name.endswith('.py'):
                    yield os.path.join(folder, name)

words = sys.stdin.read().split('\n')
SKIPPED = ['site-packages', 'dist-packages', '__pycache__', 'lib2to3'] if words == [''] else []
SKIPPED += ['test', 'tests', 'idlelib', 'turtledemo'] if words == [''] else []
for path in files([sysconfig.get_path('stdlib')] if words == [''] else words):
    try:
        data = open(path, 'rb').read()
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        continue
    print('FILE', path, sep='|')
    body(tree.body, [])
)";

std::string outcome(Outcome value) {
  constexpr std::array<std::string_view, 4> words = {"propagates", "swallowed", "raised",
                                                     "unknown"};
  return std::string(words[static_cast<std::size_t>(value)]);
}

std::string describe(const Block& block) {
  static constexpr std::array<std::string_view, 13> words = {
      "module",   "class",   "function", "if",        "else", "try", "except",
      "try-else", "finally", "loop",     "loop-else", "with", "case"};
  std::string text =
      std::string(words[static_cast<std::size_t>(block.kind)]) + " " + std::to_string(block.line);
  if (block.kind == BlockKind::class_body || block.kind == BlockKind::function_body) {
    text += " " + block.text;
  }
  if (block.kind == BlockKind::try_body) {
    text += " " + outcome(block.handlers.import_error) + "," +
            outcome(block.handlers.module_not_found) + "," + outcome(block.handlers.os_error);
  }
  return text;
}

std::string describe(const ImportScan& scan, const ImportStatement& statement) {
  std::string blocks;
  for (Id<Block> at = statement.block; at.index != 0; at = scan.blocks[at].parent) {
    blocks = "|" + describe(scan.blocks[at]) + blocks;
  }
  std::vector<std::string> names;
  for (const ImportedName& name : statement.names) {
    names.push_back(name.name + " as " + name.bound_as);
  }
  return std::to_string(statement.line) + "|" + std::to_string(statement.level) + "|" +
         statement.module + "|" + statement.bound_as + "|" + join(names, ",") + blocks;
}

std::vector<std::string> scan_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string source(std::istreambuf_iterator<char>(stream), {});
  const ImportScan scan = scan_imports(source);
  EXPECT_FALSE(scan.is_cut_off) << path;
  std::vector<std::string> lines;
  for (const ImportStatement& statement : scan.imports) lines.push_back(describe(scan, statement));
  return lines;
}

struct TheirFile {
  std::string path;
  std::vector<std::string> imports;
};

std::vector<TheirFile> their_files(std::string_view output) {
  std::vector<TheirFile> files;
  for (const std::string_view line : lines_of(output)) {
    if (line.starts_with("FILE|")) {
      files.push_back({.path = std::string(line.substr(5)), .imports = {}});
    } else {
      files.back().imports.emplace_back(line);
    }
  }
  return files;
}

TEST(ImportScan, agrees_with_the_syntax_tree_of_the_standard_library) {
  const char* folders = std::getenv("WHYSO_TEST_SOURCES");  // more folders, one a line
  const PythonAnswer answer = ask_python(script, folders == nullptr ? "" : folders);
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  const std::vector<TheirFile> files = their_files(answer.output);
  EXPECT_GT(files.size(), 100);
  std::size_t imports = 0;
  for (const TheirFile& file : files) {
    EXPECT_EQ(scan_file(file.path), file.imports) << file.path;
    imports += file.imports.size();
  }
  RecordProperty("files", static_cast<int>(files.size()));
  RecordProperty("imports", static_cast<int>(imports));
}

}  // namespace
}  // namespace whyso::python
