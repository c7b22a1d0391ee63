// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/load.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "whyso/loader/mapping.h"
#include "whyso/loader/versions.h"

namespace whyso::loader {

std::vector<Id<Object>> Process::mapped_since(std::size_t first) const {
  std::vector<Id<Object>> mapped;
  for (std::size_t i = first; i < objects().size(); ++i) mapped.push_back(objects().id(i));
  return mapped;
}

std::optional<LoadError> Process::check_opened(const std::vector<Id<Object>>& list,
                                               const std::vector<Id<Object>>& mapped) const {
  std::vector<Id<Object>> added;
  for (const Id<Object> id : list) {
    if (std::ranges::binary_search(mapped, id)) added.push_back(id);
  }
  const bool may_lack = loader().context().failure == Failure::go_on;
  for (const VersionFault& fault : check_versions(state_, added, may_lack)) {
    if (fault.kind == VersionFaultKind::no_provider) {
      return LoadError{.what = fault.what, .stage = Stage::assertion};
    }
    if (fault.is_error()) {
      return LoadError{
          .object = path_of(fault.object), .what = fault.what, .stage = Stage::versions};
    }
  }
  const auto demanding = find_isa_fault(state_, list);
  if (!demanding) return std::nullopt;
  return LoadError{.object = path_of(*demanding),
                   .what = "CPU ISA level is lower than required",
                   .stage = Stage::cpu};
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
  std::optional<LoadError> late_error;
  const bool is_new_root = asked.object && !state_.objects[*asked.object].is_opened;
  if (is_new_root) {
    std::vector<Id<Object>> list{*asked.object};
    outcome.error = mapper.walk(list);
    const bool is_complete = !outcome.error && !mapper.first_error();
    if (is_complete) late_error = check_opened(list, mapped_since(first));
    if (loader().context().failure == Failure::stop && late_error) outcome.error = late_error;
  }
  outcome.mapped = mapped_since(first);
  outcome.failed = mapper.failed();
  if (outcome.error) {
    state_.objects.unmap_from(first);
    outcome.root.reset();
  } else if (asked.object) {
    Object& root = state_.objects[*asked.object];
    root.is_opened = true;
    ++root.open_count;
    root.is_kept |= request.flags.no_delete;
    outcome.error = mapper.first_error() ? mapper.first_error() : late_error;
  }
  return outcome;
}

std::vector<Id<Object>> Process::close(Id<Object> root) {
  if (state_.objects[root].open_count > 0) --state_.objects[root].open_count;
  std::vector<char> is_used(objects().size(), 0);
  std::vector<Id<Object>> reached;
  const auto reach = [&](Id<Object> id) {
    if (std::exchange(is_used[id.index], 1) == 0) reached.push_back(id);
  };
  for (const Id<Object> id : order()) {
    if (objects()[id].is_kept || objects()[id].open_count > 0) reach(id);
  }
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Request& request : requests()) {
      const bool is_dependency = request.by == reached[i] && request.asking != Asking::dlopen;
      if (is_dependency && request.object) reach(*request.object);
    }
  }
  std::vector<Id<Object>> unused;
  for (const Id<Object> id : order()) {
    if (is_used[id.index] == 0) unused.push_back(id);
  }
  state_.objects.unmap(unused);
  return unused;
}

}  // namespace whyso::loader
