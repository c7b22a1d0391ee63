// SPDX-License-Identifier: Apache-2.0
// The seam between the verbs and what they ask: from a target to a world, from a world to answers.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/change/plan.h"
#include "whyso/check/answer.h"
#include "whyso/check/finding.h"
#include "whyso/check/listing.h"
#include "whyso/check/world.h"
#include "whyso/cli/resources.h"
#include "whyso/cli/run.h"

namespace whyso::cli {

/// What to look at.
struct Question {
  std::string target;       ///< as typed; empty: the active environment
  std::string environment;  ///< --env; empty: the only one
  std::string root;         ///< --root, or what stood behind "rootfs:"; empty: the running system
  check::Hashing hashing = check::Hashing::contested;
  std::string_view sonames;   ///< the table data/sonames
  std::string_view preloads;  ///< the tables in data/profiles
  std::string_view first_use;
  std::string_view families;  ///< the table data/families
  std::string asked_as;       ///< "whyso why libx.so": the same question without its target
};

/// Why there is no answer: the target is not there (wrong_usage) or cannot be read (incomplete).
struct Refusal {
  Status status = Status::wrong_usage;
  std::string message;
  std::string hint;                  ///< "did you mean ...", may be empty
  std::vector<std::string> choices;  ///< commands, one a line
};

template <class T>
using Judged = std::expected<T, Refusal>;

/// What each stage of a run took.
class Stopwatch {
 public:
  struct Lap {
    std::string_view stage;
    double seconds = 0;
  };

  /// The time since the last lap, or since the start, belongs to `stage`.
  void lap(std::string_view stage);

  [[nodiscard]] const std::vector<Lap>& laps() const { return laps_; }
  [[nodiscard]] double seconds() const;  ///< since the start

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::vector<Lap> laps_;
};

/// The question that the options ask; a kind of target that this version cannot read is refused.
[[nodiscard]] Judged<Question> question_of(const Options& options, const Resources& resources);

/// Everything that is wrong with one environment. Neither selected nor silenced yet.
[[nodiscard]] Judged<check::Report> judge_check(const Question& question,
                                                const Surroundings& surroundings,
                                                Stopwatch& stopwatch);

[[nodiscard]] Judged<check::Why> judge_why(const Question& question, const std::string& query,
                                           const Surroundings& surroundings, Stopwatch& stopwatch);

[[nodiscard]] Judged<check::Provides> judge_provides(const Question& question,
                                                     const std::string& query,
                                                     const Surroundings& surroundings,
                                                     Stopwatch& stopwatch);

/// Of these imports in one process, or of every top-level module.
/// `kind`: "packages", "libs", "clashes" or "orphans".
[[nodiscard]] Judged<check::Listing> judge_list(const Question& question, std::string_view kind,
                                                const Surroundings& surroundings,
                                                Stopwatch& stopwatch);

[[nodiscard]] Judged<check::Loads> judge_loads(const Question& question,
                                               const std::vector<std::string>& names,
                                               const Surroundings& surroundings,
                                               Stopwatch& stopwatch);

/// What an uninstall of these distributions would do. `installer`: "pip", "uv", or empty for the
/// one that looks after the environment. A name that is not installed is refused.
[[nodiscard]] Judged<change::Plan> judge_uninstall(const Question& question,
                                                   const std::vector<std::string>& names,
                                                   std::string_view installer,
                                                   const Surroundings& surroundings,
                                                   Stopwatch& stopwatch);

}  // namespace whyso::cli
