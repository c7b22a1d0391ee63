// SPDX-License-Identifier: Apache-2.0
// The only place that reads arguments and the environment, and that ends the program.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "whyso/cli/ld.h"
#include "whyso/cli/output.h"
#include "whyso/cli/verbs.h"
#include "whyso/tree/shrink_guard.h"

namespace whyso::cli {
namespace {

void end_interrupted(int /*signal*/) {
  constexpr std::string_view text = "\nwhyso: interrupted\n";
  // Nothing can be done about a message that does not arrive.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(static_cast<int>(Status::interrupted));
}

/// A caller that has switched the signal off (nohup, a shell's &) keeps it off.
void catch_interrupt() {
  struct sigaction old = {};
  sigaction(SIGINT, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = end_interrupted;
  sigaction(SIGINT, &action, nullptr);
}

/// So that no file that is opened later takes the place of a closed standard stream.
void keep_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);
  }
}

Variables variables_of(char** environment) {
  Variables variables;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::size_t equals = entry.find('=');
    if (equals != std::string_view::npos) {
      variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  return variables;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  std::array<char, 16> text = {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &utc)};
}

std::string working_folder() {
  std::array<char, 4096> buffer = {};
  const char* const folder = getcwd(buffer.data(), buffer.size());
  return folder == nullptr ? "" : folder;
}

Surroundings surroundings_of(char** environment) {
  winsize size = {};
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  if (is_terminal) ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  return {.variables = variables_of(environment),
          .working_folder = working_folder(),
          .today = today(),
          .out_is_terminal = is_terminal,
          .error_is_terminal = isatty(STDERR_FILENO) == 1,
          .terminal_width = size.ws_col};
}

Status run_verb(const Options& options, const Resources& resources, Streams& streams) {
  switch (options.request.verb) {
    case Verb::check:
      return run_check(options, resources, streams);
    case Verb::why:
      return run_why(options, resources, streams);
    case Verb::provides:
      return run_provides(options, resources, streams);
    case Verb::loads:
      return run_loads(options, resources, streams);
    case Verb::ld:
      return run_ld(options, resources, streams);
    case Verb::list:
      return run_list(options, resources, streams);
    case Verb::plan:
      return run_plan(options, resources, streams);
    case Verb::rule:
      return run_rule(options, resources, streams);
    case Verb::config:
      return run_config(options, resources, streams);
    case Verb::schema:
      return run_schema(options, resources, streams);
    case Verb::generate:
      return run_generate(options, resources, streams);
    case Verb::version:
      return run_version(options, resources, streams);
    case Verb::help:
      return run_help(options, resources, streams);
  }
  return Status::internal_error;
}

Status run(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  Streams streams;
  const auto options = prepare(arguments, surroundings);
  if (!options) {
    streams.complain(options.error().message, options.error().hint);
    return write_streams(std::move(streams), Status::wrong_usage);
  }
  for (const auto& file : options->configuration.unreadable) {
    streams.complain("the configuration is not read: " + file);
  }
  const Status status = run_verb(*options, built_in_resources(), streams);
  return write_streams(std::move(streams), status);
}

Status report_own_bug(std::string_view what) {
  Streams streams;
  streams.complain("internal error: " + std::string(what),
                   "this is a bug of whyso " + std::string(built_in_resources().version) +
                       "; please report it together with the command");
  return write_streams(std::move(streams), Status::internal_error);
}

}  // namespace
}  // namespace whyso::cli

int main(int count, char** words, char** environment) {
  using namespace whyso;
  using namespace whyso::cli;
  keep_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  catch_interrupt();
  tree::guard_against_shrinking_files();
  Status status = Status::internal_error;
  try {
    const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
    status = run(arguments, surroundings_of(environment));
  } catch (const std::bad_alloc&) {
    status = report_own_bug("out of memory");
  } catch (const std::exception& error) {
    status = report_own_bug(error.what());
  } catch (...) {
    status = report_own_bug("unknown exception");
  }
  return static_cast<int>(status);
}
