// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/option_table.h"

#include <algorithm>
#include <array>

#include "whyso/base/text.h"

namespace whyso::cli {
namespace {

constexpr VerbSet failing = set_of(Verb::check) | set_of(Verb::plan);
constexpr VerbSet judging =
    failing | set_of(Verb::why) | set_of(Verb::provides) | set_of(Verb::loads) | set_of(Verb::list);
constexpr VerbSet looking = judging | set_of(Verb::ld);
constexpr VerbSet formatting = looking | set_of(Verb::rule) | set_of(Verb::config);

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> formats = {"text", "json", "ndjson", "concise"};
constexpr std::array<std::string_view, 3> colours = {"auto", "always", "never"};
constexpr std::array<std::string_view, 3> levels = {"error", "warning", "note"};
constexpr std::array<std::string_view, 3> hashes = {"none", "contested", "full"};
constexpr std::array<std::string_view, 2> orders = {"name", "size"};
constexpr std::array<std::string_view, 2> installers = {"pip", "uv"};

constexpr std::array option_rows = {
    OptionInfo{
        .name = "target",
        .letter = 't',
        .value = "TARGET",
        .verbs = looking,
        .fallback = "the active environment",
        .help = "what to look at",
        .text =
            "A folder of an environment, its python, or rootfs:DIR. Nothing given: VIRTUAL_ENV, "
            "CONDA_PREFIX, ./.venv, then python3 on PATH; the first line of the report says "
            "which it was. May also stand as the last argument."},
    OptionInfo{.name = "env",
               .value = "PATH",
               .verbs = judging,
               .help = "which environment, where the target holds several"},
    OptionInfo{
        .name = "root",
        .value = "DIR",
        .verbs = looking,
        .fallback = "/",
        .help = "take DIR as the root of the file system",
        .text = "For a mounted disk, an unpacked image, or /proc/PID/root. All absolute paths and "
                "links are followed inside of DIR."},
    OptionInfo{.name = "import",
               .value = "MODULE",
               .verbs = set_of(Verb::loads),
               .source = Source::command_line,
               .is_repeatable = true,
               .fallback = "every top-level module",
               .help = "what is imported",
               .text =
                   "May be given several times: the imports of one process, in this order. Nothing "
                   "given: every top-level module of every package, each in a process of its own."},
    OptionInfo{.name = "select",
               .value = "CODES",
               .verbs = set_of(Verb::check),
               .is_repeatable = true,
               .separator = ',',
               .fallback = "all",
               .help = "report these rules only",
               .text = "Codes, beginnings of codes (SO2) or names of rules."},
    OptionInfo{.name = "ignore",
               .value = "CODES",
               .verbs = set_of(Verb::check),
               .is_repeatable = true,
               .separator = ',',
               .fallback = "none",
               .help = "do not report these rules",
               .text =
                   "As --select. To silence one finding with a reason and a date, write an ignore "
                   "entry into the configuration."},
    OptionInfo{.name = "fail-on",
               .value = "LEVEL",
               .verbs = failing,
               .choices = Words(levels),
               .fallback = "error",
               .help = "exit 1 from this level on"},
    OptionInfo{
        .name = "hash",
        .value = "WHICH",
        .verbs = looking,
        .choices = Words(hashes),
        .fallback = "contested",
        .help = "which files to hash",
        .text =
            "contested: where the hash decides something (several packages claim a file, or its "
            "size is not the recorded one). full: every file. none: no file."},
    OptionInfo{.name = "allow-partial",
               .verbs = failing,
               .fallback = "off",
               .help = "exit 0 or 1 even if something could not be looked at"},
    OptionInfo{.name = "installer",
               .value = "WHICH",
               .verbs = set_of(Verb::plan),
               .choices = Words(installers),
               .fallback = "the environment's",
               .help = "whose uninstall is planned",
               .text = "Nothing given: uv or pip, whichever looks after the environment."},
    OptionInfo{.name = "metadata-only",
               .verbs = set_of(Verb::list),
               .source = Source::command_line,
               .fallback = "off",
               .help = "of packages those that never had a file"},
    OptionInfo{.name = "gutted",
               .verbs = set_of(Verb::list),
               .source = Source::command_line,
               .fallback = "off",
               .help = "of packages those whose libraries or files are all gone"},
    OptionInfo{.name = "sort",
               .value = "ORDER",
               .verbs = set_of(Verb::list),
               .source = Source::command_line,
               .choices = Words(orders),
               .fallback = "name",
               .help = "by name, or the largest first"},
    OptionInfo{.name = "timings",
               .verbs = looking,
               .source = Source::variable,
               .fallback = "off",
               .help = "show on stderr what each stage took"},
    OptionInfo{.name = "var",
               .value = "NAME=VALUE",
               .verbs = set_of(Verb::ld),
               .source = Source::command_line,
               .is_repeatable = true,
               .fallback = "none",
               .help = "a variable that the program starts with"},
    OptionInfo{.name = "cwd",
               .value = "DIR",
               .verbs = set_of(Verb::ld),
               .source = Source::command_line,
               .fallback = "the working folder",
               .help = "where the program is started; with --root the default is /"},
    OptionInfo{
        .name = "open",
        .value = "LIBRARY",
        .verbs = set_of(Verb::ld),
        .source = Source::command_line,
        .is_repeatable = true,
        .fallback = "none",
        .help = "open this library after the program has started, as dlopen does",
        .text =
            "FLAGS:NAME sets the mode: n NOW, l LAZY, g GLOBAL, d NODELETE, o NOLOAD, b DEEPBIND; "
            "v "
            "lets the library whose function was called last make the call. close: closes the last "
            "one, "
            "sym:NAME and default:NAME look a symbol up in it or everywhere, call:NAME runs it."},
    OptionInfo{
        .name = "rules",
        .value = "LOADER",
        .verbs = set_of(Verb::ld),
        .source = Source::command_line,
        .fallback = "those of the loader that is there",
        .help = "judge as the loader of another release would, glibc-2.17 to glibc-2.42",
        .text =
            "What follows from the release changes: which folders are searched, what is refused, "
            "in which words. What a distribution decides stays: default folders and $LIB."},
    OptionInfo{.name = "symbols",
               .verbs = set_of(Verb::ld),
               .source = Source::command_line,
               .fallback = "no",
               .help = "tell which symbols nothing defines",
               .text =
                   "Each with what it does: it stops the load, it is noticed when the function is "
                   "called, or it may be absent."},
    OptionInfo{.name = "bindings",
               .verbs = set_of(Verb::ld),
               .source = Source::command_line,
               .fallback = "no",
               .help = "tell what each symbol is bound to"},
    OptionInfo{.name = "list",
               .verbs = set_of(Verb::rule),
               .source = Source::command_line,
               .fallback = "off",
               .help = "list all rules"},
    OptionInfo{.name = "licenses",
               .verbs = set_of(Verb::version),
               .source = Source::command_line,
               .fallback = "off",
               .help = "show what is linked in, with the licences"},
    OptionInfo{.name = "format",
               .value = "FORMAT",
               .verbs = formatting,
               .choices = Words(formats),
               .fallback = "text",
               .help = "how to write the result",
               .text =
                   "json: one document. ndjson: one finding a line. concise: one line a finding. "
                   "ndjson and concise are for check only."},
    OptionInfo{.name = "output",
               .letter = 'o',
               .value = "[FORMAT=]FILE",
               .verbs = looking,
               .source = Source::command_line,
               .is_repeatable = true,
               .fallback = "-",
               .help = "write to a file; with FORMAT= in addition to standard output",
               .text = "May be given several times. - is standard output."},
    OptionInfo{.name = "color",
               .value = "WHEN",
               .verbs = all_verbs,
               .choices = Words(colours),
               .fallback = "auto",
               .help = "colour the text",
               .text =
                   "auto: NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE decide, then whether a terminal "
                   "shows it."},
    OptionInfo{.name = "ascii",
               .verbs = all_verbs,
               .fallback = "by locale",
               .help = "use no letter outside of ASCII"},
    OptionInfo{
        .name = "width",
        .value = "COLUMNS",
        .verbs = all_verbs,
        .source = Source::variable,
        .fallback = "the terminal's",
        .help = "width of the text",
        .text = "Between 40 and 400. Nothing given: the terminal's, at most 120; 80 elsewhere."},
    OptionInfo{.name = "verbose",
               .letter = 'v',
               .verbs = all_verbs,
               .is_repeatable = true,
               .fallback = "0",
               .help = "show notes and evidence",
               .text = "-vv shows no more in this version."},
    OptionInfo{.name = "quiet",
               .letter = 'q',
               .verbs = all_verbs,
               .fallback = "off",
               .help = "show errors only, a line each"},
    OptionInfo{.name = "no-input",
               .verbs = all_verbs,
               .fallback = "off",
               .help = "never ask",
               .text = "No verb of this version asks."},
    OptionInfo{.name = "explain",
               .value = "CODE",
               .verbs = all_verbs,
               .source = Source::command_line,
               .help = "the same as `whyso rule CODE`"},
    OptionInfo{.name = "version",
               .verbs = all_verbs,
               .source = Source::command_line,
               .fallback = "off",
               .help = "the same as `whyso version`"},
    OptionInfo{.name = "help",
               .letter = 'h',
               .verbs = all_verbs,
               .source = Source::command_line,
               .fallback = "off",
               .help = "show help, with a verb its own"},
};

}  // namespace

std::span<const OptionInfo> option_table() { return option_rows; }

const OptionInfo* find_option(std::string_view name) {
  const auto* const found = std::ranges::find(option_rows, name, &OptionInfo::name);
  return found == option_rows.end() ? nullptr : found;
}

std::string variable_of(const OptionInfo& option) {
  if (option.source == Source::command_line) return "";
  std::string variable = "WHYSO_";
  for (const char c : option.name) {
    variable += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return variable;
}

}  // namespace whyso::cli
