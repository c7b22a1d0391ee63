// SPDX-License-Identifier: Apache-2.0
// What is known of libraries: data/sonames and data/families, read into values. Never an
// observation, and called knowledge wherever it is shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"

namespace whyso::check {

/// One row: who ships a library.
struct KnownProvider {
  std::string pattern;   ///< glob over sonames: '*' stands for any text
  std::string kind;      ///< "pypi", "deb", "driver"
  std::string package;   ///< "nvidia-nccl-cu12", "libgl1"
  std::string cuda;      ///< CUDA generation of whoever asks: "12"; empty: any
  std::string versions;  ///< specifier for the provider: "<12.9"; empty: any
  std::string words;     ///< any other condition, for people
  std::string source;    ///< where it is written
  std::string date;      ///< ISO date on which it was true
};

enum class FamilyRule : std::uint8_t {
  generation,  ///< its major tells for which generation whoever needs it was built
  one_major,   ///< two majors in one process know nothing of each other
  parts,       ///< members open each other and must be of one release
  runtime,     ///< keeps state for the whole process
};

/// One row: what holds of libraries with that name.
struct LibraryFamily {
  std::string pattern;  ///< glob over names of libraries
  FamilyRule rule = FamilyRule::parts;
  std::string name;  ///< "cuDNN"
};

/// All rows in the order of the files.
struct Knowledge {
  std::vector<KnownProvider> providers;
  std::vector<LibraryFamily> families;

  /// Malformed with its line where a row is not five fields between bars.
  [[nodiscard]] static Result<Knowledge> parse(std::string_view text, std::string_view where);

  /// Adds the rows of a table of families; malformed as above.
  [[nodiscard]] Result<void> add_families(std::string_view text, std::string_view where);

  /// The family of that rule to which a library belongs, or null.
  [[nodiscard]] const LibraryFamily* family_of(std::string_view library, FamilyRule rule) const;

  /// Rows whose pattern fits the soname.
  [[nodiscard]] std::vector<KnownProvider> providers_of(std::string_view soname) const;
};

/// Does `text` fit the pattern? '*' stands for any text, all else for itself.
[[nodiscard]] bool fits(std::string_view pattern, std::string_view text);

/// A library of NVIDIA's driver, which no package index ships: libcuda.so.1 and its kin.
[[nodiscard]] bool is_driver_library(const Knowledge& knowledge, std::string_view soname);

}  // namespace whyso::check
