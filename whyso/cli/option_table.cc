// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/option_table.h"

#include <algorithm>
#include <array>

#include "whyso/base/check.h"
#include "whyso/base/text.h"

namespace whyso::cli {
namespace {

constexpr VerbSet judging = set_of(Verb::check) | set_of(Verb::why) | set_of(Verb::provides);
constexpr VerbSet looking = judging | set_of(Verb::ld);
constexpr VerbSet formatting = looking | set_of(Verb::rule) | set_of(Verb::config);

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> formats = {"text", "json", "ndjson", "concise"};
constexpr std::array<std::string_view, 3> colours = {"auto", "always", "never"};
constexpr std::array<std::string_view, 3> levels = {"error", "warning", "note"};
constexpr std::array<std::string_view, 3> hashes = {"none", "contested", "full"};

constexpr std::array option_rows = {
    OptionInfo{"target",
               't',
               "TARGET",
               looking,
               Source::anywhere,
               false,
               0,
               {},
               "the active environment",
               "what to look at",
               "A folder of an environment, its python, or rootfs:DIR. Nothing given: VIRTUAL_ENV, "
               "CONDA_PREFIX, ./.venv, then python3 on PATH; the first line of the report says "
               "which it was. May also stand as the last argument."},
    OptionInfo{"env",
               0,
               "PATH",
               judging,
               Source::anywhere,
               false,
               0,
               {},
               "",
               "which environment, where the target holds several",
               ""},
    OptionInfo{"root",
               0,
               "DIR",
               looking,
               Source::anywhere,
               false,
               0,
               {},
               "/",
               "take DIR as the root of the file system",
               "For a mounted disk, an unpacked image, or /proc/PID/root. All absolute paths and "
               "links are followed inside of DIR."},
    OptionInfo{"select",
               0,
               "CODES",
               set_of(Verb::check),
               Source::anywhere,
               true,
               ',',
               {},
               "all",
               "report these rules only",
               "Codes, beginnings of codes (SO2) or names of rules."},
    OptionInfo{"ignore",
               0,
               "CODES",
               set_of(Verb::check),
               Source::anywhere,
               true,
               ',',
               {},
               "none",
               "do not report these rules",
               "As --select. To silence one finding with a reason and a date, write an ignore "
               "entry into the configuration."},
    OptionInfo{"fail-on", 0, "LEVEL", set_of(Verb::check), Source::anywhere, false, 0,
               Words(levels), "error", "exit 1 from this level on", ""},
    OptionInfo{"hash", 0, "WHICH", looking, Source::anywhere, false, 0, Words(hashes), "contested",
               "which files to hash",
               "contested: where the hash decides something (several packages claim a file, or its "
               "size is not the recorded one). full: every file. none: no file."},
    OptionInfo{"allow-partial",
               0,
               "",
               set_of(Verb::check),
               Source::anywhere,
               false,
               0,
               {},
               "off",
               "exit 0 or 1 even if something could not be looked at",
               ""},
    OptionInfo{"timings",
               0,
               "",
               looking,
               Source::variable,
               false,
               0,
               {},
               "off",
               "show on stderr what each stage took",
               ""},
    OptionInfo{"var",
               0,
               "NAME=VALUE",
               set_of(Verb::ld),
               Source::command_line,
               true,
               0,
               {},
               "none",
               "a variable that the program starts with",
               ""},
    OptionInfo{"cwd",
               0,
               "DIR",
               set_of(Verb::ld),
               Source::command_line,
               false,
               0,
               {},
               "the working folder",
               "where the program is started; with --root the default is /",
               ""},
    OptionInfo{
        "open",
        0,
        "LIBRARY",
        set_of(Verb::ld),
        Source::command_line,
        true,
        0,
        {},
        "none",
        "open this library after the program has started, as dlopen does",
        "FLAGS:NAME sets the mode: n NOW, l LAZY, g GLOBAL, d NODELETE, o NOLOAD, b DEEPBIND; v "
        "lets the library that was opened before make the call. c: closes the last one."},
    OptionInfo{"list",
               0,
               "",
               set_of(Verb::rule),
               Source::command_line,
               false,
               0,
               {},
               "off",
               "list all rules",
               ""},
    OptionInfo{"licenses",
               0,
               "",
               set_of(Verb::version),
               Source::command_line,
               false,
               0,
               {},
               "off",
               "show what is linked in, with the licences",
               ""},
    OptionInfo{"format", 0, "FORMAT", formatting, Source::anywhere, false, 0, Words(formats),
               "text", "how to write the result",
               "json: one document. ndjson: one finding a line. concise: one line a finding. "
               "ndjson and concise are for check only."},
    OptionInfo{"output",
               'o',
               "[FORMAT=]FILE",
               looking,
               Source::command_line,
               true,
               0,
               {},
               "-",
               "write to a file; with FORMAT= in addition to standard output",
               "May be given several times. - is standard output."},
    OptionInfo{"color", 0, "WHEN", all_verbs, Source::anywhere, false, 0, Words(colours), "auto",
               "colour the text",
               "auto: NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE decide, then whether a terminal "
               "shows it."},
    OptionInfo{"ascii",
               0,
               "",
               all_verbs,
               Source::anywhere,
               false,
               0,
               {},
               "by locale",
               "use no letter outside of ASCII",
               ""},
    OptionInfo{"width",
               0,
               "COLUMNS",
               all_verbs,
               Source::variable,
               false,
               0,
               {},
               "the terminal's",
               "width of the text",
               "Between 40 and 400. Nothing given: the terminal's, at most 120; 80 elsewhere."},
    OptionInfo{"verbose",
               'v',
               "",
               all_verbs,
               Source::anywhere,
               true,
               0,
               {},
               "0",
               "show notes and evidence; -vv shows all",
               ""},
    OptionInfo{"quiet",
               'q',
               "",
               all_verbs,
               Source::anywhere,
               false,
               0,
               {},
               "off",
               "show errors only, a line each",
               ""},
    OptionInfo{"no-input",
               0,
               "",
               all_verbs,
               Source::anywhere,
               false,
               0,
               {},
               "off",
               "never ask",
               "No verb of this version asks."},
    OptionInfo{"explain",
               0,
               "CODE",
               all_verbs,
               Source::command_line,
               false,
               0,
               {},
               "",
               "the same as `whyso rule CODE`",
               ""},
    OptionInfo{"version",
               0,
               "",
               all_verbs,
               Source::command_line,
               false,
               0,
               {},
               "off",
               "the same as `whyso version`",
               ""},
    OptionInfo{"help",
               'h',
               "",
               all_verbs,
               Source::command_line,
               false,
               0,
               {},
               "off",
               "show help, with a verb its own",
               ""},
};

constexpr std::array check_examples = {
    Example{"whyso", "is the active environment sound?"},
    Example{"whyso check .venv -v", "the same for .venv, with all evidence"},
    Example{"whyso check --format json --fail-on warning", "for a script or CI"}};
constexpr std::array why_examples = {
    Example{"whyso libcudnn.so.9", "why is it taken from there? (short for whyso why ...)"},
    Example{"whyso why torch/lib/libtorch_cuda.so .venv", "whose file is it, who needs it?"},
    Example{"whyso why nvidia-nccl-cu12", "why is this package here?"}};
constexpr std::array provides_examples = {
    Example{"whyso provides libnccl.so.2", "which package has it?"},
    Example{"whyso provides nvidia/nccl/lib/libnccl.so.2", "who lists this path?"},
    Example{"whyso provides libGL.so.1", "not here: what would have it?"}};
constexpr std::array ld_examples = {
    Example{"whyso ld ./program", "what would the loader load?"},
    Example{"whyso ld ./program --var LD_LIBRARY_PATH=/opt/lib", "and with this variable?"},
    Example{"whyso ld --root /mnt /usr/bin/python3", "in a mounted file system"}};
constexpr std::array rule_examples = {Example{"whyso rule SO102", "what does it mean?"},
                                      Example{"whyso rule gutted-package", "the same by name"},
                                      Example{"whyso rule --list", "all rules"}};
constexpr std::array config_examples = {
    Example{"whyso config", "what holds here, and where it comes from"},
    Example{"WHYSO_FORMAT=json whyso config", "variables count too"},
    Example{"whyso config --format json", "for a script"}};
constexpr std::array schema_examples = {
    Example{"whyso schema", "of the JSON that `whyso check` writes"},
    Example{"whyso schema why", "of the JSON that `whyso why` writes"},
    Example{"whyso schema check > check.schema.json", "keep it"}};
constexpr std::array generate_examples = {
    Example{"whyso generate man > whyso.1", "the manual page"},
    Example{"whyso generate complete-bash > /etc/bash_completion.d/whyso", "completions for bash"},
    Example{"whyso generate complete-fish | source", "completions for this fish"}};
constexpr std::array version_examples = {
    Example{"whyso version", "the version"},
    Example{"whyso version --licenses", "what is linked in, under which licence"},
    Example{"whyso --version", "the same as the first"}};
constexpr std::array help_examples = {Example{"whyso help", "all verbs"},
                                      Example{"whyso help check", "one verb"},
                                      Example{"whyso check --help", "the same"}};

constexpr std::array verb_rows = {
    VerbInfo{Verb::check, "check", "doctor", "[TARGET]", 0, false, true,
             "is this environment sound?",
             "Reads the packages' file lists and every native object, follows the dynamic loader's "
             "search for each, and reports what is broken: one finding a cause, with its evidence, "
             "its effect and one command that mends it. Runs nothing and changes nothing.",
             check_examples},
    VerbInfo{Verb::why, "why", "", "QUERY [TARGET]", 1, true, true,
             "why is it here, why from there, who needs it?",
             "QUERY is a library's name (libcudnn.so.9), a file or a package. Shows who asks for "
             "it, each step of the loader's search with what was refused and why, whose file it "
             "is by the file lists and by its content, and the other copies on disk. A bare first "
             "argument that contains .so is such a query.",
             why_examples},
    VerbInfo{Verb::provides, "provides", "", "QUERY [TARGET]", 1, true, true,
             "who provides this library or file?",
             "QUERY is a library's name, a file's name or a path. Names what is installed; where "
             "nothing is, what is known to provide it, said to be knowledge.",
             provides_examples},
    VerbInfo{
        Verb::ld, "ld", "", "PROGRAM [ARGUMENT]...", 1, true, false,
        "what would the loader do with this program?",
        "The model of the dynamic loader alone: the objects in load order, the step that "
        "found each, every path tried, and the loader's error text where it fails. PROGRAM may "
        "be a loader with options of its own and a program; put -- before them.",
        ld_examples},
    VerbInfo{Verb::rule, "rule", "", "[CODE]", 1, false, false, "what does this rule mean?",
             "CODE is a code (SO102) or a name (gutted-package). Without one all rules are listed.",
             rule_examples},
    VerbInfo{Verb::config, "config", "", "", 0, false, false,
             "which settings hold here, and where do they come from?",
             "The command line goes before variables WHYSO_*, these before a file: the nearest "
             "whyso.toml or pyproject.toml with [tool.whyso] from the working folder upwards, or "
             "else whyso/whyso.toml in the user's folder of configuration.",
             config_examples},
    VerbInfo{Verb::schema, "schema", "", "[VERB]", 1, false, false, "what does the JSON look like?",
             "Prints a JSON schema (draft 2020-12) for the JSON that VERB writes.",
             schema_examples},
    VerbInfo{Verb::generate, "generate", "", "WHAT", 1, true, false,
             "manual page and shell completions",
             "WHAT is man, complete-bash, complete-zsh or complete-fish.", generate_examples},
    VerbInfo{Verb::version, "version", "", "", 0, false, false, "which whyso is this?", "",
             version_examples},
    VerbInfo{Verb::help, "help", "", "[VERB]", 1, false, false, "how is it used?", "",
             help_examples},
};

}  // namespace

std::span<const VerbInfo> verb_table() { return verb_rows; }

std::span<const OptionInfo> option_table() { return option_rows; }

const VerbInfo& info_of(Verb verb) {
  const auto* const found = std::ranges::find(verb_rows, verb, &VerbInfo::verb);
  WHYSO_CHECK(found != verb_rows.end());
  return *found;
}

const VerbInfo* find_verb(std::string_view name) {
  const auto* const found = std::ranges::find_if(verb_rows, [&](const VerbInfo& info) {
    return info.name == name || (!info.alias.empty() && info.alias == name);
  });
  return found == verb_rows.end() ? nullptr : found;
}

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
