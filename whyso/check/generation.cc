// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/generation.h"

#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::check {
namespace {

std::string without_digits(std::string_view name) {
  std::string text(name);
  std::erase_if(text, is_digit);
  return text;
}

/// "libx_cuda118.so" beside "libx_cuda126.so", or the same name in "sm90/" and "sm100/".
bool is_variant(const World& world, const NativeObject& library) {
  const std::string name = without_digits(library.path.name());
  const Path folder = library.path.parent();
  return std::ranges::any_of(world.natives, [&](const NativeObject& other) {
    if (other.path == library.path || without_digits(other.path.name()) != name) return false;
    const Path other_folder = other.path.parent();
    return other_folder == folder || other_folder.parent() == folder.parent();
  });
}

}  // namespace

std::vector<std::pair<std::string, NativeId>> other_generations(const World& world,
                                                                std::string_view name) {
  std::vector<std::pair<std::string, NativeId>> found;
  if (world.knowledge.family_of(name, FamilyRule::generation) == nullptr) return found;
  const std::string lead = std::string(library_stem(name)) + ".so.";
  for (auto at = world.index.by_name.lower_bound(lead);
       at != world.index.by_name.end() && at->first.starts_with(lead); ++at) {
    const std::string_view version = std::string_view(at->first).substr(lead.size());
    const bool is_soname = std::ranges::count(version, '.') <= 1;  // "13", "11.0"
    if (is_soname) found.emplace_back(at->first, at->second.front());
  }
  return found;
}

bool is_of_wrong_generation(const World& world, const Broken& broken) {
  bool has_stranger = false;
  for (const auto& reason : broken.reasons) {
    if (reason.cause == CauseKind::driver || reason.cause == CauseKind::elsewhere) continue;
    if (reason.cause != CauseKind::absent) return false;
    if (other_generations(world, reason.request.name).empty()) return false;
    has_stranger = true;
  }
  return has_stranger && !is_variant(world, world.natives[broken.load->module]);
}

}  // namespace whyso::check
