// SPDX-License-Identifier: Apache-2.0
// A process's searches told as the loader itself tells them (LD_DEBUG=libs): which paths were
// really tried, by which step, in which words. Decides nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "whyso/loader/directory_memory.h"
#include "whyso/loader/load.h"
#include "whyso/loader/object.h"
#include "whyso/loader/search.h"

namespace whyso::loader {

/// One request as the loader accounts for it.
struct Account {
  std::string name;
  std::string by;                  ///< who asked, the program under the name it goes by
  std::optional<std::string> via;  ///< "RUNPATH from file X", "LD_LIBRARY_PATH", "cache ..."
  std::optional<std::string> got;  ///< the path that decided, taken or refused
  std::vector<std::string> tried;  ///< every path in order; empty where a name matched
};

/// Tells the requests of one process in order. A directory is called after the first path list
/// that ever named it, even where another's list is being searched: so does the loader.
class Narrator {
 public:
  explicit Narrator(const Process& process);

  /// The next request; they must be given in order.
  Account tell(const Request& request);

 private:
  struct Label {
    Step step = Step::defaults;
    NameId owner;
  };

  void name_list(std::optional<Id<DirectoryList>> list, Step step, NameId owner);
  [[nodiscard]] std::string words_of(const Label& label) const;
  [[nodiscard]] std::string via_of(const SearchedStep& step, const PlaceAnswer& answer) const;

  const Process& process_;
  const Searches& searches_;
  DirectoryMemory memory_;
  std::unordered_map<std::uint32_t, Label> labels_;  // by directory
};

/// How messages call an object: its path, or the program's name.
[[nodiscard]] std::string display_name(const Process& process, NameId path);

}  // namespace whyso::loader
