// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/ask_python_test.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace whyso::python {
namespace {

constexpr int no_python = 127;
constexpr int no_module = 77;

constexpr std::string_view frame =
    "import sys\n"
    "sys.stdin.reconfigure(encoding='utf-8', errors='surrogateescape', newline='')\n"
    "sys.stdout.reconfigure(encoding='utf-8', errors='surrogateescape', newline='')\n"
    "try:\n"
    "    exec(compile(open(sys.argv[1], encoding='utf-8').read(), 'script', 'exec'))\n"
    "except ModuleNotFoundError as error:\n"
    "    print(error)\n"
    "    sys.exit(77)\n";

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_all(FILE* stream) {
  std::string text;
  std::array<char, 65536> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), stream)) {
    text.append(buffer.data(), count);
  }
  return text;
}

}  // namespace

PythonAnswer ask_python(std::string_view script, std::string_view input) {
  std::string folder = std::filesystem::temp_directory_path() / "whyso_ask_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return {false, "no temporary folder"};
  const std::filesystem::path base = folder;
  write_file(base / "frame.py", frame);
  write_file(base / "script.py", script);
  write_file(base / "input", input);
  const std::string command = "command -v python3 >/dev/null || exit 127; exec python3 -I '" +
                              folder + "/frame.py' '" + folder + "/script.py' < '" + folder +
                              "/input'";
  FILE* stream = popen(command.c_str(), "r");
  if (stream == nullptr) return {false, "no process"};
  PythonAnswer answer{.is_available = true, .output = read_all(stream)};
  const int status = pclose(stream);
  std::filesystem::remove_all(base);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == no_python) return {false, "there is no python3"};
  if (code == no_module) return {false, answer.output};
  EXPECT_EQ(code, 0) << script;
  return answer;
}

}  // namespace whyso::python
