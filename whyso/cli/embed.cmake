# SPDX-License-Identifier: Apache-2.0
# cmake -DOUTPUT=FILE.cc -DFUNCTION=NAME -DFILES=a;b -P embed.cmake
#   Writes a source with a function that returns the files, by their names, as EmbeddedFiles.
string(APPEND body "// Made by embed.cmake.\n#include <array>\n\n#include \"whyso/cli/resources.h\"\n\n"
  "namespace whyso::cli {\n\nstd::span<const EmbeddedFile> ${FUNCTION}();\n\n"
  "std::span<const EmbeddedFile> ${FUNCTION}() {\n  static constexpr std::array files = {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  # A literal must stay below 64 KiB for some compilers; ours has no such limit, but no file may hold the delimiter.
  string(FIND "${text}" ")whyso\"" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} holds the delimiter of the literal")
  endif()
  string(APPEND body "      EmbeddedFile{\"${name}\", R\"whyso(${text})whyso\"},\n")
endforeach()
string(APPEND body "  };\n  return files;\n}\n\n}  // namespace whyso::cli\n")
file(WRITE "${OUTPUT}" "${body}")
