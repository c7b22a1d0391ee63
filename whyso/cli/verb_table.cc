// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "whyso/base/check.h"
#include "whyso/cli/option_table.h"

namespace whyso::cli {
namespace {

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
constexpr std::array loads_examples = {
    Example{"whyso loads --import torch", "what would `import torch` map, and who asks for it?"},
    Example{"whyso loads --import torch --import torchvision", "one after the other"},
    Example{"whyso loads --format json .venv", "every top-level module, for a script"}};
constexpr std::array list_examples = {
    Example{"whyso list packages --sort size", "what takes the most room?"},
    Example{"whyso list packages --gutted", "whose files are gone?"},
    Example{"whyso list clashes .venv", "what do several packages write?"}};
constexpr std::array plan_examples = {
    Example{"whyso plan uninstall nvidia-nccl-cu13", "what would that break?"},
    Example{"whyso plan uninstall numpy pandas -t .venv", "of several packages, in .venv"},
    Example{"whyso plan uninstall torch --installer pip", "as pip does it, not uv"}};
constexpr std::array ld_examples = {
    Example{"whyso ld ./program", "what would the loader load?"},
    Example{"whyso ld /usr/bin/python3 --open ./module.so --symbols", "what does it lack?"},
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
    VerbInfo{
        .verb = Verb::check,
        .name = "check",
        .alias = "doctor",
        .arguments = "[TARGET]",
        .takes_target = true,
        .question = "is this environment sound?",
        .text =
            "Reads the packages' file lists and every native object, follows the dynamic loader's "
            "search for each, and reports what is broken: one finding a cause, with its evidence, "
            "its effect and one command that mends it. Runs nothing and changes nothing.",
        .examples = check_examples},
    VerbInfo{
        .verb = Verb::why,
        .name = "why",
        .arguments = "QUERY [TARGET]",
        .own_arguments = 1,
        .needs_arguments = true,
        .takes_target = true,
        .question = "why is it here, why from there, who needs it?",
        .text =
            "QUERY is a library's name (libcudnn.so.9), a file or a package. Shows who asks for "
            "it, each step of the loader's search with what was refused and why, whose file it "
            "is by the file lists and by its content, and the other copies on disk. A bare first "
            "argument that contains .so is such a query.",
        .examples = why_examples},
    VerbInfo{
        .verb = Verb::provides,
        .name = "provides",
        .arguments = "QUERY [TARGET]",
        .own_arguments = 1,
        .needs_arguments = true,
        .takes_target = true,
        .question = "who provides this library or file?",
        .text =
            "QUERY is a library's name, a file's name or a path. Names what is installed; where "
            "nothing is, what is known to provide it, said to be knowledge.",
        .examples = provides_examples},
    VerbInfo{
        .verb = Verb::loads,
        .name = "loads",
        .arguments = "[TARGET]",
        .takes_target = true,
        .question = "what will an import load, in which order, and who asks for it?",
        .text =
            "Read from files alone: sources are followed from import to import, and for each "
            "object the search of the dynamic loader. Shows the objects in order, whose they are, "
            "who asks for each (a line of Python or another object), and how sure it is; where an "
            "import fails, the text that Python would print. Exit 1 where an import that was "
            "named fails.",
        .examples = loads_examples},
    VerbInfo{
        .verb = Verb::list,
        .name = "list",
        .arguments = "packages|libs|clashes|orphans [TARGET]",
        .own_arguments = 1,
        .needs_arguments = true,
        .takes_target = true,
        .question = "which packages, libraries, shared paths and orphans are there?",
        .text =
            "packages: how many files each lists, how many are there, and how large they are. "
            "libs: "
            "every shared object with its soname and owner. clashes: paths that several packages "
            "list, and whose bytes are there. orphans: shared objects that no package lists.",
        .examples = list_examples},
    VerbInfo{
        .verb = Verb::plan,
        .name = "plan",
        .arguments = "uninstall PACKAGE...",
        .own_arguments = 1,
        .needs_arguments = true,
        .question = "what would that uninstall break?",
        .text =
            "Takes the packages away on the model, file by file as pip or uv would, and looks "
            "again: which imports fail, for want of which libraries and modules, which packages "
            "nothing loads, and the safer way. Changes nothing. Exit status 1: it would break "
            "something.",
        .examples = plan_examples},
    VerbInfo{
        .verb = Verb::ld,
        .name = "ld",
        .arguments = "PROGRAM [ARGUMENT]...",
        .own_arguments = 1,
        .needs_arguments = true,
        .question = "what would the loader do with this program?",
        .text =
            "The model of the dynamic loader alone: the objects in load order, the step that "
            "found each, every path tried, and the loader's error text where it fails. PROGRAM may "
            "be a loader with options of its own and a program; put -- before them.",
        .examples = ld_examples},
    VerbInfo{
        .verb = Verb::rule,
        .name = "rule",
        .arguments = "[CODE]",
        .own_arguments = 1,
        .question = "what does this rule mean?",
        .text =
            "CODE is a code (SO102) or a name (gutted-package). Without one all rules are listed.",
        .examples = rule_examples},
    VerbInfo{
        .verb = Verb::config,
        .name = "config",
        .question = "which settings hold here, and where do they come from?",
        .text =
            "The command line goes before variables WHYSO_*, these before a file: the nearest "
            "whyso.toml or pyproject.toml with [tool.whyso] from the working folder upwards, or "
            "else whyso/whyso.toml in the user's folder of configuration.",
        .examples = config_examples},
    VerbInfo{.verb = Verb::schema,
             .name = "schema",
             .arguments = "[VERB]",
             .own_arguments = 1,
             .question = "what does the JSON look like?",
             .text = "Prints a JSON schema (draft 2020-12) for the JSON that VERB writes.",
             .examples = schema_examples},
    VerbInfo{.verb = Verb::generate,
             .name = "generate",
             .arguments = "WHAT",
             .own_arguments = 1,
             .needs_arguments = true,
             .question = "manual page and shell completions",
             .text = "WHAT is man, complete-bash, complete-zsh or complete-fish.",
             .examples = generate_examples},
    VerbInfo{.verb = Verb::version,
             .name = "version",
             .question = "which whyso is this?",
             .examples = version_examples},
    VerbInfo{.verb = Verb::help,
             .name = "help",
             .arguments = "[VERB]",
             .own_arguments = 1,
             .question = "how is it used?",
             .examples = help_examples},
};

}  // namespace

std::span<const VerbInfo> verb_table() { return verb_rows; }

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

}  // namespace whyso::cli
