// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/launch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>

#include "whyso/base/text.h"
#include "whyso/elf/image.h"
#include "whyso/loader/files.h"

namespace whyso::loader {
namespace {

constexpr std::uint32_t may_execute = 0111;
constexpr std::uint32_t changes_user_bits = 06000;

struct UsualInterpreter {
  elf::Machine machine;
  elf::ElfClass elf_class;
  std::string_view path;
};

constexpr std::array<UsualInterpreter, 8> usual_interpreters{{
    {elf::Machine::x86_64, elf::ElfClass::elf64, "/lib64/ld-linux-x86-64.so.2"},
    {elf::Machine::x86_64, elf::ElfClass::elf32, "/libx32/ld-linux-x32.so.2"},
    {elf::Machine::i386, elf::ElfClass::elf32, "/lib/ld-linux.so.2"},
    {elf::Machine::aarch64, elf::ElfClass::elf64, "/lib/ld-linux-aarch64.so.1"},
    {elf::Machine::arm, elf::ElfClass::elf32, "/lib/ld-linux-armhf.so.3"},
    {elf::Machine::riscv, elf::ElfClass::elf64, "/lib/ld-linux-riscv64-lp64d.so.1"},
    {elf::Machine::powerpc64, elf::ElfClass::elf64, "/lib64/ld64.so.2"},
    {elf::Machine::s390, elf::ElfClass::elf64, "/lib/ld64.so.1"},
}};

/// What is known of a file that is to be executed.
struct Executable {
  int error_number = 0;  ///< why execve(2) would fail
  elf::Abi abi;
  std::optional<std::string> interpreter;
  std::string soname;
  bool is_dynamic = false;
  bool changes_user = false;      ///< set-user-ID or set-group-ID
  bool is_shared_object = false;  ///< a library: no interpreter, no entry point to speak of
};

std::string absolute(std::string_view path, const std::string& cwd) {
  if (path.starts_with('/')) return std::string(path);
  return (cwd.ends_with('/') ? cwd : cwd + "/") + std::string(path);
}

Executable refused(int error_number) { return {.error_number = error_number}; }

Executable examine_content(const Blob& content) {
  const auto image = elf::ElfImage::parse(content);
  if (!image) return refused(ENOEXEC);
  Executable executable{.abi = elf::abi_of(image->header())};
  const auto interpreter = image->interpreter();
  if (!interpreter) return refused(ENOEXEC);
  if (*interpreter) executable.interpreter = std::string(**interpreter);
  const auto dynamic = image->dynamic();
  executable.is_dynamic = dynamic && dynamic->has_value();
  if (executable.is_dynamic && (*dynamic)->soname) executable.soname = *(*dynamic)->soname;
  const bool is_pie = executable.is_dynamic && ((*dynamic)->flags_1 & elf::flag_1_pie) != 0;
  executable.is_shared_object =
      image->header().type == elf::Type::shared && !executable.interpreter && !is_pie;
  return executable;
}

Executable examine(tree::Resolver& resolver, const std::string& path) {
  const tree::Walk walk = resolver.resolve(path);
  if (!walk.is_found()) return refused(error_number_of(walk.outcome));
  if (walk.facts.kind != tree::FileKind::regular) return refused(EACCES);
  const auto content = resolver.tree().read(walk.real);
  if (!content.is_present()) return refused(content.is_absent() ? ENOENT : EACCES);
  Executable executable = examine_content(content.value().blob);
  executable.changes_user = (walk.facts.mode & changes_user_bits) != 0;
  const bool may_run = (walk.facts.mode & may_execute) != 0;
  if (executable.error_number == 0 && !may_run && !executable.is_shared_object) {
    executable.error_number = EACCES;
  }
  return executable;
}

/// The kernel's checks of PT_INTERP (load_elf_binary).
int interpreter_error(tree::Resolver& resolver, const std::string& path) {
  const tree::Walk walk = resolver.resolve(path);
  if (!walk.is_found()) return error_number_of(walk.outcome);
  const bool is_regular = walk.facts.kind == tree::FileKind::regular;
  if (!is_regular || (walk.facts.mode & may_execute) == 0) return EACCES;
  return walk.facts.size < 64 ? EIO : 0;
}

bool is_loader(const Executable& executable) {
  return executable.soname.starts_with("ld-linux") || executable.soname.starts_with("ld64.so") ||
         executable.soname.starts_with("ld.so");
}

void read_variables(const Command& command, ProcessContext& context) {
  for (const auto& [name, value] : command.variables) {
    if (name == "LD_LIBRARY_PATH") context.library_path = value;
    if (name == "LD_PRELOAD") context.preload = value;
    if (name == "LD_AUDIT") context.audit = value;
    if (name == "LD_BIND_NOW") context.bind_now = !value.empty();
    if (name == "LD_DYNAMIC_WEAK") context.weak_is_weaker = true;
    if (name == "GLIBC_TUNABLES") context.tunables = value;
    if (name == "LD_TRACE_LOADED_OBJECTS" && !value.empty()) context.failure = Failure::go_on;
  }
}

/// ld.so's own options; what follows them is the program with its arguments.
struct LoaderOptions {
  HwcapsOptions hwcaps;
  bool loads_nothing = false;
  std::span<const std::string> rest;
};

std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  for (const std::string_view name : split(list, ':')) {
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

/// An option with a value; false where it is not known.
bool take_valued(std::string_view option, const std::string& value, ProcessContext& context,
                 HwcapsOptions& hwcaps) {
  if (option == "--library-path") {
    context.library_path = value;
    context.is_library_path_option = true;
  } else if (option == "--inhibit-rpath") {
    context.inhibit_rpath = value;
  } else if (option == "--preload") {
    context.preload_option = value;
  } else if (option == "--argv0") {
    context.argv0 = value;
  } else if (option == "--glibc-hwcaps-prepend") {
    hwcaps.prepend = names_of(value);
  } else if (option == "--glibc-hwcaps-mask") {
    hwcaps.mask = names_of(value);
  } else {
    return option == "--audit";
  }
  return true;
}

LoaderOptions read_options(std::span<const std::string> arguments, ProcessContext& context) {
  LoaderOptions options;
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i].starts_with("--"); ++i) {
    const std::string& option = arguments[i];
    if (option == "--inhibit-cache") {
      context.inhibit_cache = true;
    } else if (option == "--verify") {
      context.is_verified_only = true;
    } else if (option == "--help" || option == "--version" || option == "--list-diagnostics" ||
               option == "--list-tunables") {
      options.loads_nothing = true;
    } else if (option == "--list") {
      context.is_listed_only = true;
    } else {
      if (i + 1 == arguments.size()) break;
      if (!take_valued(option, arguments[i + 1], context, options.hwcaps)) break;
      ++i;
    }
  }
  options.rest = arguments.subspan(i);
  return options;
}

LoadError kernel_error(int error_number) {
  return {.object = "execve", .what = errno_text(error_number, Speaker::dlopen)};
}

Result<LoaderRules> require_rules(tree::Resolver& resolver, std::string_view interpreter,
                                  const Machine& machine, const HwcapsOptions& hwcaps) {
  auto rules = read_rules(resolver, interpreter, machine, hwcaps);
  if (rules.is_unreadable()) return std::unexpected(rules.error());
  if (rules.is_absent()) return failure(ErrorKind::io, std::string(interpreter), "no such file");
  return std::move(rules).value();
}

/// "ld.so [OPTION]... PROGRAM".
Result<Launch> prepare_for_loader(tree::Resolver& resolver, const Command& command,
                                  std::string_view interpreter, const Machine& machine) {
  Launch launch;
  launch.context = {.cwd = command.cwd};
  read_variables(command, launch.context);
  launch.context.is_started_by_loader = true;
  const auto options = read_options(std::span(command.arguments).subspan(1), launch.context);
  launch.loads_nothing = options.loads_nothing || options.rest.empty();
  if (!options.rest.empty()) launch.program = options.rest.front();
  launch.rules =
      TRY(require_rules(resolver, absolute(interpreter, command.cwd), machine, options.hwcaps));
  launch.rules.interpreter = interpreter;
  return launch;
}

}  // namespace

std::string_view usual_interpreter(const elf::Abi& abi) {
  for (const UsualInterpreter& usual : usual_interpreters) {
    if (usual.machine == abi.machine && usual.elf_class == abi.elf_class) return usual.path;
  }
  return {};
}

Result<Launch> prepare(tree::Resolver& resolver, const Command& command, const Machine& machine) {
  if (command.arguments.empty()) return failure(ErrorKind::malformed, "", "no program is named");
  const std::string& typed = command.arguments.front();
  const Executable program = examine(resolver, absolute(typed, command.cwd));
  if (program.error_number == 0 && !program.interpreter && is_loader(program)) {
    return prepare_for_loader(resolver, command, typed, machine);
  }
  Launch launch{.program = typed};
  if (program.error_number != 0) {
    launch.kernel_error = kernel_error(program.error_number);
    return launch;
  }
  if (program.is_shared_object) {
    Command as_ldd = command;
    const std::string_view usual = usual_interpreter(program.abi);
    if (usual.empty()) {
      return failure(ErrorKind::unsupported, typed,
                     "no loader is known for " + elf::name_of(program.abi));
    }
    as_ldd.arguments.insert(as_ldd.arguments.begin(), std::string(usual));
    auto listed = TRY(prepare_for_loader(resolver, as_ldd, usual, machine));
    listed.context.is_listed_only = true;
    return listed;
  }
  launch.context = {.cwd = command.cwd, .is_secure = program.changes_user};
  read_variables(command, launch.context);
  launch.context.has_proc = resolver.resolve("/proc").is_found();
  launch.loads_nothing = !program.interpreter;
  if (launch.loads_nothing) return launch;
  const std::string interpreter = absolute(*program.interpreter, command.cwd);
  const int error_number = interpreter_error(resolver, interpreter);
  if (error_number != 0) {
    launch.kernel_error = kernel_error(error_number);
    return launch;
  }
  launch.rules = TRY(require_rules(resolver, interpreter, machine, {}));
  launch.rules.interpreter = *program.interpreter;
  if (!elf::can_share_process(program.abi, launch.rules.abi)) {
    launch.kernel_error = kernel_error(ENOEXEC);
  }
  return launch;
}

}  // namespace whyso::loader
