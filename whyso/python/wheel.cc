// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/wheel.h"

#include <utility>

#include "whyso/base/text.h"
#include "whyso/python/metadata.h"

namespace whyso::python {
namespace {

std::optional<bool> read_bool(std::string_view text) {
  const std::string word = lower(text);
  if (word != "true" && word != "false") return std::nullopt;
  return word == "true";
}

}  // namespace

Wheel Wheel::parse(Blob text) {
  const Metadata headers = Metadata::parse(text);
  Wheel wheel;
  wheel.wheel_version_ = headers.find("Wheel-Version");
  wheel.generator_ = headers.find("Generator");
  wheel.build_ = headers.find("Build");
  wheel.is_root_purelib_ = read_bool(headers.find("Root-Is-Purelib").value_or(""));
  wheel.tags_ = headers.all("Tag");
  wheel.text_ = std::move(text);
  return wheel;
}

}  // namespace whyso::python
