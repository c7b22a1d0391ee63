// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/search_path.h"

#include <algorithm>

namespace whyso::process {

std::string SearchPath::spelled(const Path& file) const {
  std::size_t best = 0;
  std::string text = file.text();
  const std::size_t count = std::min(folders.size(), spelled_folders.size());
  for (std::size_t i = 0; i < count; ++i) {
    const bool holds = file != folders[i] && file.is_within(folders[i]);
    if (!holds || folders[i].text().size() < best) continue;
    best = folders[i].text().size();
    text = spelled_folders[i].text() + "/" + std::string(file.within(folders[i]));
  }
  return text;
}

}  // namespace whyso::process
