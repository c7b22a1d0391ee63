// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/import_scan.h"

#include <gtest/gtest.h>

#include <array>

namespace whyso::python {
namespace {

using Texts = std::vector<std::string>;

/// "MODULE@LINE" and the blocks from the outside in, as "a@3 if(x) try".
Texts scan(std::string_view source) {
  static constexpr std::array<std::string_view, 13> words = {
      "module",   "class",   "def",  "if",        "else", "try", "except",
      "try-else", "finally", "loop", "loop-else", "with", "case"};
  const ImportScan result = scan_imports(source);
  Texts lines;
  for (const ImportStatement& statement : result.imports) {
    std::string blocks;
    for (Id<Block> at = statement.block; at.index != 0; at = result.blocks[at].parent) {
      const Block& block = result.blocks[at];
      const std::string text = block.text.empty() ? "" : "(" + block.text + ")";
      blocks = " " + std::string(words[static_cast<std::size_t>(block.kind)]) + text + blocks;
    }
    lines.push_back(std::string(statement.level, '.') + statement.module + "@" +
                    std::to_string(statement.line) + blocks);
  }
  return lines;
}

TEST(ImportScan, reads_all_forms_of_import) {
  const ImportScan result = scan_imports(
      "import a.b as c, d . e\nfrom x.y import a, b as c\nfrom . import z\n"
      "from ..up import (one,  # comment\n  two as zwei,\n)\nfrom ... import *\n"
      "from .import q\nimport \\\n  joined\n");
  ASSERT_EQ(result.imports.size(), 8);
  EXPECT_EQ(result.imports[0].module, "a.b");
  EXPECT_EQ(result.imports[0].bound_as, "c");
  EXPECT_EQ(result.imports[1].module, "d.e");
  EXPECT_EQ(result.imports[1].bound_as, "");
  EXPECT_EQ(result.imports[2].names, (std::vector<ImportedName>{{"a", "a"}, {"b", "c"}}));
  EXPECT_TRUE(result.imports[2].is_from);
  EXPECT_EQ(result.imports[3].level, 1);
  EXPECT_EQ(result.imports[3].module, "");
  EXPECT_EQ(result.imports[4].level, 2);
  EXPECT_EQ(result.imports[4].module, "up");
  EXPECT_EQ(result.imports[4].names, (std::vector<ImportedName>{{"one", "one"}, {"two", "zwei"}}));
  EXPECT_EQ(result.imports[5].level, 3);
  EXPECT_EQ(result.imports[5].names, (std::vector<ImportedName>{{"*", "*"}}));
  EXPECT_EQ(result.imports[5].line, 7);
  EXPECT_EQ(result.imports[6].level, 1);
  EXPECT_EQ(result.imports[7].module, "joined");
  EXPECT_EQ(result.imports[7].line, 9);
}

TEST(ImportScan, tells_module_class_and_function) {
  const ImportScan result = scan_imports(
      "import a\nclass C:\n  import b\n  def f(self): import c\n"
      "async def g():\n\timport d\nimport e\n");
  ASSERT_EQ(result.imports.size(), 5);
  EXPECT_EQ(result.imports[0].scope, ImportScope::module);
  EXPECT_EQ(result.imports[1].scope, ImportScope::class_body);
  EXPECT_EQ(result.imports[2].scope, ImportScope::function_body);
  EXPECT_EQ(result.imports[3].scope, ImportScope::function_body);
  EXPECT_EQ(result.imports[4].scope, ImportScope::module);
  EXPECT_EQ(result.blocks[result.imports[2].block].text, "f");
}

TEST(ImportScan, elif_stands_in_the_else_of_what_came_before) {
  EXPECT_EQ(scan("if a:\n  import p\nelif b: import q\nelif (c and\n   d):\n  import r\nelse:\n"
                 "  import s\nimport t\n"),
            (Texts{"p@2 if(a)", "q@3 else(a) if(b)", "r@6 else(a) else(b) if((c and\n   d))",
                   "s@8 else(a) else(b) else((c and\n   d))", "t@9"}));
}

TEST(ImportScan, follows_try_loop_with_and_match) {
  EXPECT_EQ(
      scan("try: import a\nexcept (ImportError, OSError) as e:\n  import b\nelse:\n"
           "  import c\nfinally:\n  import d\nfor x in y:\n  import e\nelse:\n  import f\n"
           "while 1: import g\nwith lambda: 0 as z: import h\n"
           "match x:\n  case [1, {'k': v}]:\n    import i\n  case _ if v: import j\n"
           "async with q: import k\n"),
      (Texts{"a@1 try", "b@3 except((ImportError, OSError) as e)", "c@5 try-else", "d@7 finally",
             "e@9 loop(x in y)", "f@11 loop-else", "g@12 loop(1)", "h@13 with(lambda: 0 as z)",
             "i@16 case([1, {'k': v}])", "j@17 case(_ if v)", "k@18 with(q)"}));
}

TEST(ImportScan, soft_keywords_are_names_elsewhere) {
  EXPECT_EQ(scan("match = 1\nmatch: int = 2\nmatch[x]: int = 3\ncase = 4; import a\n"
                 "match(x)\nimport b\ntype X = int\nmatch (x):\n  case 1: import c\n"),
            (Texts{"a@4", "b@6", "c@9 case(1)"}));
}

TEST(ImportScan, sees_no_import_in_strings_and_comments) {
  EXPECT_EQ(scan("'''\nimport a\n'''\nx = \"\\\"\\\nimport b\"\n# import c\n"
                 "r'\\'; import no'; import d\ny = (\nimport_e,\n)\nRb'''\n\\'''\nimport f\n'''\n"
                 "import g;\nx = 1;  # import h\nimport i\n"),
            (Texts{"d@7", "g@15", "i@17"}));
}

// PEP 701: since Python 3.12 f-strings may hold their own quotes, and line ends in fields.
TEST(ImportScan, follows_nested_formatted_strings) {
  EXPECT_EQ(scan("x = f\"{y[\"k\"]:>{w}}\"; import a\n"
                 "f'{f\"{f'{1}'}\"}'; import b\n"
                 "f'{{}}{x!r:^{w}.{p}}'; import c\n"
                 "f'''{\n  z  # it's a comment }\n}\nimport no\n'''; import d\n"
                 "f'\\N{LEFT CURLY BRACKET}{1}'; import e\n"
                 "f'{x:\"^10}'; import f\nrf'\\{x}'; import g\nf'{lambda_:{\"'\"}}'; import h\n"
                 "t'{x}'; import i\nf'{(lambda: \":\")()}'; import j\nif'{':import k\n"),
            (Texts{"a@1", "b@2", "c@3", "d@8", "e@9", "f@10", "g@11", "h@12", "i@13", "j@14",
                   "k@15 if('{')"}));
}

TEST(ImportScan, follows_line_ends_form_feeds_and_a_byte_order_mark) {
  EXPECT_EQ(scan("\xef\xbb\xbfimport a\r\nif x:\r\n\timport b\r\n\fimport c\rimport d"),
            (Texts{"a@1", "b@3 if(x)", "c@4", "d@5"}));
  EXPECT_EQ(scan("if x:\n  import a\n # comment\n\n  import b\n\\\nimport c\n"),
            (Texts{"a@2 if(x)", "b@5 if(x)", "c@7"}));
}

ImportHandlers handlers(std::string_view source) {
  const ImportScan result = scan_imports(source);
  return result.blocks[result.imports.at(0).block].handlers;
}

TEST(ImportScan, knows_what_becomes_of_a_failed_import) {
  using enum Outcome;
  EXPECT_EQ(handlers("try:\n  import a\nexcept ImportError:\n  a = None\n"),
            (ImportHandlers{swallowed, swallowed, propagates}));
  EXPECT_EQ(handlers("try:\n  import a\nexcept ModuleNotFoundError: pass\n"),
            (ImportHandlers{propagates, swallowed, propagates}));
  EXPECT_EQ(handlers("try:\n  import a\nexcept ImportError as e:\n  log(e)\n  raise X from e\n"),
            (ImportHandlers{raised_again, raised_again, propagates}));
  EXPECT_EQ(handlers("try:\n  import a\nexcept ImportError:\n  if x: raise\n"),
            (ImportHandlers{swallowed, swallowed, propagates}));
  EXPECT_EQ(handlers("try: import a\nexcept (ValueError, builtins.ImportError): pass\n"
                     "except: raise\n"),
            (ImportHandlers{swallowed, swallowed, raised_again}));
  EXPECT_EQ(handlers("try: import a\nexcept* OSError: pass\n"),
            (ImportHandlers{propagates, propagates, swallowed}));
  EXPECT_EQ(handlers("try: import a\nexcept errors: pass\n"),
            (ImportHandlers{unknown, unknown, unknown}));
  EXPECT_EQ(handlers("try: import a\nfinally: pass\n"), ImportHandlers());
  EXPECT_EQ(handlers("with contextlib.suppress(ImportError): import a\n"),
            (ImportHandlers{swallowed, swallowed, propagates}));
}

TEST(ImportScan, knows_type_checking) {
  EXPECT_TRUE(is_type_checking("TYPE_CHECKING"));
  EXPECT_TRUE(is_type_checking("typing.TYPE_CHECKING"));
  EXPECT_FALSE(is_type_checking("not TYPE_CHECKING"));
}

TEST(ImportScan, never_fails_on_what_is_no_python) {
  EXPECT_TRUE(scan_imports("x = (\nimport a\n").is_cut_off);
  EXPECT_TRUE(scan_imports("x = '''\nimport a\n").is_cut_off);
  EXPECT_FALSE(scan_imports("import a").is_cut_off);
  for (const char* source :
       {"import", "from",    "from x",   "from x import", "import .",        "from .",
        "else:",  "except:", "elif x",   "case 1:",       "import a as",     "f'{",
        "f'{x:",  "\\",      "async",    "async x",       "match x:",        "if",
        "\"",     "'''",     "f'''{'''", "lambda",        "from . import (", "import a,",
        "f'{x:{", "#",       "\\\r",     "x \\",          "finally:",        "import a;"}) {
    EXPECT_LE(scan_imports(source).imports.size(), 1) << source;
  }
  EXPECT_EQ(scan("else:\n  import a\n  x = '\nimport b\n"), (Texts{"a@2", "b@4"}));
}

TEST(ImportScan, of_hostile_source_takes_one_pass) {
  for (const char* piece :
       {"f'{", "(", "'''", "f'''{x:", "if x:\n", "elif x:\n", "try:\n ", "\\\n", "l",
        "lambda:", "match x", "match\\\n", "import a,", "\r", "a\f\t", "else:", "{'", "f'\\N{"}) {
    std::string source = "if y: pass\n";
    while (source.size() < 2'000'000) source += piece;
    EXPECT_LE(scan_imports(source).imports.size(), source.size() / 9) << piece;
  }
}

}  // namespace
}  // namespace whyso::python
