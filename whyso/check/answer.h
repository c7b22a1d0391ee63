// SPDX-License-Identifier: Apache-2.0
// What `why` and `provides` answer, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/check/finding.h"

namespace whyso::check {

/// One path that the loader would try, or one reason why it would not look.
struct TriedPath {
  std::string path;
  std::string verdict;  ///< "no such file", "taken", "other ELF class", ...
  bool taken = false;
};

/// One step of the search in the loader's order.
struct SearchStep {
  std::string name;     ///< "already loaded under that name", "DT_RPATH of libtorch_cuda.so", ...
  std::string summary;  ///< "not set", "15 directories", "not reached", "none"
  std::vector<TriedPath> tried;
  bool decided = false;
};

/// Whose file it is, by RECORD and by content.
struct Ownership {
  std::vector<std::string> listed_by;  ///< "nvidia-nccl-cu12 2.27.5", "deb libc6 2.36-9"
  std::string content_of;     ///< whose recorded hash matches; empty: nobody's or not hashed
  std::string content_state;  ///< "as recorded", "not as recorded", "not recorded", "not looked at"
};

/// A copy on disk that was not taken.
struct OtherCopy {
  std::string path;
  Ownership owner;
  std::string why_not;
};

/// One load: a name that was asked for, by whom, what came of it.
struct LoadStory {
  std::string name;       ///< soname or path asked for
  std::string path;       ///< file that the loader takes, empty where none
  std::string real_path;  ///< the same without links, where it differs
  std::string error;      ///< the loader's own text, where none
  Ownership owner;
  std::vector<std::string>
      asked_for_by;     ///< "torch/lib/libtorch_cuda.so (torch 2.10.0), DT_NEEDED"
  std::string process;  ///< the import in whose process this holds: "import torch"
  std::vector<SearchStep> steps;
  std::vector<OtherCopy> others;
};

/// A file of the environment that was asked about.
struct FileStory {
  std::string path;
  Ownership owner;
  std::string format;  ///< "ELF 64-bit x86-64 shared object", "not ELF"
  std::string soname;
  std::vector<std::string> needs;  ///< "libc10.so -> torch/lib/libc10.so" in order
  std::vector<std::string> needed_by;
};

/// A distribution that was asked about.
struct DistributionStory {
  std::string name;
  std::string version;
  std::string installer;
  std::string location;
  bool requested = false;
  std::vector<std::string> required_by;
  std::uint64_t files = 0;
  std::uint64_t missing = 0;
  std::vector<std::string> libraries;  ///< native objects that it lists, with their state
};

struct Why {
  std::string query;
  std::vector<LoadStory> loads;
  std::vector<FileStory> files;
  std::vector<DistributionStory> distributions;
  std::vector<std::string> did_you_mean;  ///< where nothing was found
};

/// Who has a library, file or path.
struct Provider {
  std::string path;  ///< empty for knowledge
  std::string soname;
  std::string provider;  ///< "nvidia-cudnn-cu12 9.10.2.21", "deb libgl1"
  std::string state;     ///< "installed here", "listed, absent on disk"
  std::string source;    ///< for knowledge: where it comes from, with its date
  bool is_knowledge = false;
};

struct Provides {
  std::string query;
  std::vector<Provider> providers;
  std::vector<std::string> did_you_mean;
};

/// One object that an import maps.
struct LoadLine {
  std::string path;   ///< as the loader spells it
  std::string shown;  ///< the same below the folder of packages, where it lies there
  std::string owner;  ///< "torch 2.10.0", "deb libstdc++6 12.2.0-14"; empty: nobody lists it
  std::string by;     ///< "/…/torch/__init__.py:432" or the path of the object that asks
  std::string shown_by;
  std::string how;        ///< "extension", "ctypes", "dlopen", "needed"
  std::string when;       ///< "import", "first-use", "optional"
  std::string certainty;  ///< "certain", "conditional", "possible"
};

/// Something that an import asks for and cannot have.
struct LoadFailure {
  std::string name;
  std::string shown_by;
  std::string error;
  bool is_handled = false;  ///< the import goes on
};

/// What one import loads, in the process that those before it left behind.
struct ImportLoads {
  std::string name;
  bool is_ok = true;
  std::string error;  ///< what Python would print last
  std::vector<LoadLine> loads;
  std::vector<LoadFailure> failures;
  std::vector<Error> unknown;  ///< why there may be more
};

struct Loads {
  std::vector<ImportLoads> imports;
  std::string problem;  ///< why nothing is known; empty: all is well
};

}  // namespace whyso::check
