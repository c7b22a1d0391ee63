// SPDX-License-Identifier: Apache-2.0
// STB_GNU_UNIQUE: one definition a name in the whole process. Looks up nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "whyso/base/table.h"
#include "whyso/loader/id_list.h"

namespace whyso::loader {

/// Where a symbol is defined.
struct Definition {
  Id<Object> object;
  std::uint32_t symbol = 0;  ///< index in the object's dynamic symbols
};

/// The definitions that were bound first; a value, shared between copies until one of them changes.
class UniqueSymbols {
 public:
  [[nodiscard]] std::optional<Definition> find(std::string_view name) const {
    if (!table_) return std::nullopt;
    const auto known = table_->find(std::string(name));
    if (known == table_->end()) return std::nullopt;
    return known->second;
  }

  void add(std::string_view name, Definition definition) {
    own().emplace(std::string(name), definition);
  }

  /// Forgets what an object defines: it is unmapped after a dlopen that failed.
  void remove(Id<Object> object) {
    if (!table_) return;
    std::erase_if(own(), [object](const auto& known) { return known.second.object == object; });
  }

 private:
  using Definitions = std::unordered_map<std::string, Definition>;

  Definitions& own() {
    if (!table_) table_ = std::make_shared<Definitions>();
    if (table_.use_count() > 1) table_ = std::make_shared<Definitions>(*table_);
    return *table_;
  }

  std::shared_ptr<Definitions> table_;
};

}  // namespace whyso::loader
