// SPDX-License-Identifier: Apache-2.0
// Texts of the loader and of whyso's own: configuration, TOML, JSON.
#include <array>

#include "tests/fuzz/targets.h"
#include "whyso/base/check.h"
#include "whyso/base/json.h"
#include "whyso/base/toml.h"
#include "whyso/ldso/conf.h"
#include "whyso/ldso/preload.h"

namespace whyso::fuzz {
namespace {

void toml_config(std::string_view input) {
  const auto value = toml::parse(input, "fuzzed");
  if (value) (void)json::write(*value);
}

/// What is written can be read, and then written alike.
void json_value(std::string_view input) {
  const auto value = json::parse(input, "fuzzed");
  if (!value) return;
  const std::string written = json::write(*value);
  const auto again = json::parse(written, "written");
  WHYSO_CHECK(again.has_value());
  WHYSO_CHECK(json::write(*again) == written);
}

void ldso_conf(std::string_view input) { (void)ldso::parse_conf(input); }

void ldso_preload(std::string_view input) {
  (void)ldso::parse_preload_file(input);
  (void)ldso::parse_preload_variable(input);
}

constexpr std::array<Target, 4> targets{{{"toml", toml_config},
                                         {"json", json_value},
                                         {"ldso_conf", ldso_conf},
                                         {"ldso_preload", ldso_preload}}};

}  // namespace

std::span<const Target> text_targets() { return targets; }

}  // namespace whyso::fuzz
