// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/source_shelf.h"

#include <utility>

#include "whyso/process/taken_names.h"

namespace whyso::process {
namespace {

constexpr std::size_t largest = std::size_t{1024} * 1024;

}  // namespace

const SourceOfModule* SourceShelf::find(ModuleSearch& search, std::string_view module) {
  const auto known = kept_.find(module);
  if (known != kept_.end()) return known->second ? &known->second->source : nullptr;
  auto& kept = kept_.emplace(std::string(module), nullptr).first->second;
  const FoundModule& found = search.find(module);
  if (found.kind != ModuleKind::source) return nullptr;
  const auto content = search.read(*found.file);
  if (!content.is_present() || content.value().blob.size() > largest) return nullptr;
  kept = std::make_unique<Kept>();
  kept->text = content.value().blob;
  kept->source.scan = python::scan_statements(kept->text.text());
  kept->source.file = search.path().spelled(*found.file);
  kept->source.taken = taken_names(kept->source.scan, module, found.is_package);
  return &kept->source;
}

}  // namespace whyso::process
