// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/file_scope.h"

#include "whyso/python/name.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {

FileScope scope_of_question(const tree::FileTree& tree, std::string_view query) {
  FileScope scope{.choice = {.infix = ".so"}, .distribution = python::normalized_name(query)};
  const std::string_view name = query.substr(query.rfind('/') + 1);
  // Who asks for a library hardly means a distribution of that name.
  scope.knows_all_names = !name.contains(scope.choice.infix);
  if (!name.empty() && scope.knows_all_names) scope.choice.names.emplace_back(name);
  if (!query.starts_with('/')) return scope;
  const tree::Walk walk = tree::Resolver(tree).resolve(query);
  const bool has_other_name = walk.is_found() && !walk.real.is_root() && walk.real.name() != name;
  if (has_other_name) scope.choice.names.emplace_back(walk.real.name());
  return scope;
}

}  // namespace whyso::environment
