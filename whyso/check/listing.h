// SPDX-License-Identifier: Apache-2.0
// What stands in an environment, as rows of tables: packages, libraries, paths that several
// packages list. Judges nothing: rules do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace whyso::check {

struct World;

enum class PackageState : std::uint8_t {
  whole,
  incomplete,     ///< files are gone
  gutted,         ///< all its libraries are gone, or all its files
  metadata_only,  ///< never had a file besides its metadata
  editable,       ///< its files lie elsewhere
  unlisted,       ///< it has no list of files, or none that can be read
};

struct PackageRow {
  std::string name;
  std::string version;
  std::string installer;
  PackageState state = PackageState::whole;
  std::uint64_t files = 0;  ///< listed, without metadata and compiled caches
  std::uint64_t missing = 0;
  std::uint64_t libraries = 0;
  std::uint64_t bytes = 0;  ///< of what it lists and is there, metadata and all
};

/// One shared object.
struct LibraryRow {
  std::string path;
  std::string soname;
  std::vector<std::string> owners;  ///< none: an orphan
  std::uint64_t bytes = 0;
};

/// One path that packages of several names list.
struct ClashRow {
  std::string path;
  std::vector<std::string> owners;
  bool is_contested = false;  ///< they list it with different contents
  std::string content_of;     ///< contested: whose bytes are there; empty: nobody's or not known
  bool is_missing = false;
  std::uint64_t bytes = 0;
};

/// What was asked for; the others are empty.
struct Listing {
  std::vector<PackageRow> packages;
  std::vector<LibraryRow> libraries;
  std::vector<ClashRow> clashes;
};

/// In the order of their names. Needs a world that was begun.
[[nodiscard]] std::vector<PackageRow> list_packages(const World& world);

/// In the order of their paths. Needs natives.
[[nodiscard]] std::vector<LibraryRow> list_libraries(const World& world);

/// In the order of their paths. Needs contents.
[[nodiscard]] std::vector<ClashRow> list_clashes(const World& world);

}  // namespace whyso::check
