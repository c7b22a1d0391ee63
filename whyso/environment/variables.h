// SPDX-License-Identifier: Apache-2.0
// What a process is given from outside and Python looks at. Handed down by the caller: nothing here
// reads our own process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "whyso/base/path.h"

namespace whyso::environment {

/// Variables of the process whose Python is asked about; absent: not set. An empty value is kept,
/// since Python tells it apart from none for some of them.
struct ProcessVariables {
  std::optional<std::string> virtual_env;
  std::optional<std::string> conda_prefix;
  std::optional<std::string> path;
  std::optional<std::string> home;
  std::optional<std::string> python_path;
  std::optional<std::string> python_home;
  std::optional<std::string> python_user_base;
  std::optional<std::string> python_no_user_site;
  std::optional<std::string> pyenv_version;
  std::optional<std::string> ld_library_path;
  std::optional<std::string> ld_preload;
  Path working_folder;
  std::uint32_t user_id = 0;
};

}  // namespace whyso::environment
