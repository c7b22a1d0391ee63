// SPDX-License-Identifier: Apache-2.0
// What a zip archive says of one member. Holds no content and judges nothing but the name.
#pragma once

#include <cstdint>
#include <string_view>

namespace whyso::archive {

/// The methods that we unpack; may hold another number where the archive does.
enum class Compression : std::uint16_t { stored = 0, deflated = 8 };

/// Why a name must not be joined to a folder unseen.
enum class NameHazard : std::uint8_t {
  none,
  empty,
  absolute,      ///< begins with "/" or a drive such as "C:"
  leaves_root,   ///< a component is ".."
  contains_nul,  ///< most unpackers stop there and write another name
};

/// One entry of the central directory. `name` lives as long as the archive's Blob.
struct ZipMember {
  std::string_view name;  ///< as it stands there, of any encoding; a folder's ends in "/"
  NameHazard hazard = NameHazard::none;
  Compression compression = Compression::stored;
  bool is_encrypted = false;
  std::uint32_t crc = 0;
  std::uint64_t compressed_size = 0;
  std::uint64_t size = 0;
  std::uint32_t unix_mode = 0;      ///< st_mode, 0 where the packer did not say
  std::uint64_t header_offset = 0;  ///< of the member's own header, from the start of the Blob
  std::uint64_t space = 0;          ///< from there to the next member or the central directory

  [[nodiscard]] bool is_directory() const { return name.ends_with('/'); }
  [[nodiscard]] bool is_symbolic_link() const { return (unix_mode & 0170000) == 0120000; }
};

}  // namespace whyso::archive
