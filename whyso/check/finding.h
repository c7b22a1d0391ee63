// SPDX-License-Identifier: Apache-2.0
// What a rule has to say, as values. How it looks on a screen or in JSON is known in report/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "whyso/base/result.h"

namespace whyso::check {

enum class Severity : std::uint8_t { note, warning, error };

/// How sure we are; shown unless certain.
enum class Confidence : std::uint8_t { certain, likely, possible };

/// What a finding is about: one library or file, with what is known of it. Empty text: not known or
/// not applicable. Paths are relative to the folder of the packages where they lie in it.
struct Subject {
  std::string package;  ///< distribution that lists it
  std::string version;
  std::string soname;
  std::string path;
  std::vector<std::string> needed_by;  ///< files whose DT_NEEDED asks for it
  std::string content_of;              ///< "NAME VERSION" whose recorded hash is that of the bytes
  std::string state;  ///< "0 of 8 libraries are left", "absent", "size 12, recorded 36"
};

/// Where a claim can be looked up again: a RECORD line, a dynamic entry, a hash, folders tried.
struct Evidence {
  std::string kind;    ///< "RECORD", "sha256", "DT_NEEDED", "search", "METADATA", ...
  std::string file;    ///< where it stands, as a full path
  std::string detail;  ///< the line, the value, the list
};

/// One hop of the explanation, the deepest last.
struct Cause {
  std::string text;
  Confidence confidence = Confidence::certain;
  std::string reason;  ///< for what is not certain: why we think so
  std::vector<Evidence> evidence;
};

/// What the user notices.
struct Effect {
  std::string kind;  ///< "import", "first-use", "uninstall", ...
  std::string name;  ///< "torch" for `import torch`
  std::string text;  ///< what Python would print last, where it is known
};

enum class Applicability : std::uint8_t {
  safe,    ///< puts back or removes exactly what is named
  unsafe,  ///< may change what works
  manual,  ///< a person has to choose or fill in something
};

using Command = std::vector<std::string>;

/// One way to mend; the first fix of a finding is the recommended one.
struct Fix {
  std::string id;
  Applicability applicability = Applicability::safe;
  std::vector<Command> commands;  ///< to be run in this order; empty where only `summary` helps
  std::string summary;            ///< "puts back 22 libraries, changes nothing else"
};

/// A small table for people; every row has as many cells as the header.
struct Exhibit {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

/// One cause with all its effects.
struct Finding {
  std::string code;  ///< "SO102"
  Severity severity = Severity::error;
  Confidence confidence = Confidence::certain;
  std::string message;  ///< one line that stands alone, in the user's words
  std::vector<Subject> subjects;
  Exhibit exhibit;
  std::vector<Cause> because;
  std::vector<Effect> breaks;
  std::vector<Fix> fixes;
  std::vector<std::string> remarks;  ///< "Python names only the first one; there are 4"
};

/// One line of the block at the top of a report.
struct Category {
  enum class State : std::uint8_t { sound, note, warning, error, not_looked_at };
  std::string name;  ///< "files", "ownership", "loading"
  State state = State::sound;
  std::string text;
};

/// A finding that the user's configuration silenced.
struct Suppressed {
  Finding finding;
  std::string reason;
  std::string until;  ///< ISO date, empty: for ever
};

/// All that a check found out about one environment.
struct Report {
  std::string target;       ///< as the user would name it: ".venv"
  std::string target_path;  ///< absolute
  std::string chosen_by;    ///< "VIRTUAL_ENV", "the argument", "python3 on PATH", ...
  std::string python;       ///< "CPython 3.12.8", empty where no interpreter was found
  std::uint64_t packages = 0;
  std::uint64_t objects = 0;  ///< native objects that were judged
  std::vector<Category> categories;
  std::vector<Finding> findings;  ///< sorted: errors first, then by code and first subject
  std::vector<Suppressed> suppressed;
  std::vector<Error> unreadable;  ///< what could not be looked at; not empty: incomplete
};

}  // namespace whyso::check
