// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/load.h"

#include <cerrno>

#include "whyso/loader/mapping.h"

namespace whyso::loader {

std::vector<Id<Object>> Process::mapped_since(std::size_t first) const {
  std::vector<Id<Object>> mapped;
  for (std::size_t i = first; i < objects().size(); ++i) mapped.push_back(objects().id(i));
  return mapped;
}

Outcome Process::open(const OpenRequest& request) {
  Outcome outcome;
  if (!request.flags.now && !request.flags.lazy) {
    outcome.error = LoadError{request.name, "invalid mode for dlopen()", EINVAL};
    return outcome;
  }
  const std::size_t first = objects().size();
  Mapper mapper(state_, true);
  const std::optional<Id<Object>> caller = request.caller.value_or(program_id);
  const Asked asked = mapper.ask(loader().files().names().intern(request.name), caller,
                                 Asking::dlopen, request.flags.no_load);
  outcome.root = asked.object;
  outcome.error = asked.error;
  const bool is_new_root = asked.object && !state_.objects[*asked.object].is_opened;
  if (is_new_root) {
    std::vector<Id<Object>> list{*asked.object};
    outcome.error = mapper.walk(list);
  }
  outcome.mapped = mapped_since(first);
  outcome.failed = mapper.failed();
  if (outcome.error) {
    state_.objects.unmap_from(first);
    outcome.root.reset();
  } else if (asked.object) {
    state_.objects[*asked.object].is_opened = true;
    outcome.error = mapper.first_error();
  }
  return outcome;
}

}  // namespace whyso::loader
