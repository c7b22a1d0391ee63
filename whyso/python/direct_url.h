// SPDX-License-Identifier: Apache-2.0
// direct_url.json: where a distribution came from if not from an index (PEP 610).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "whyso/base/result.h"

namespace whyso::python {

struct DirectUrl {
  struct Vcs {
    std::string vcs;  ///< "git"
    std::string commit_id;
    std::optional<std::string> requested_revision;
  };
  struct Archive {
    std::map<std::string, std::string> hashes;  ///< algorithm -> hexadecimal digest
  };
  struct Directory {
    bool is_editable = false;
  };

  std::string url;
  std::variant<Vcs, Archive, Directory> info;
  std::optional<std::string>
      subdirectory;  ///< of the distribution inside, where it is not the root

  [[nodiscard]] bool is_editable() const {
    const auto* directory = std::get_if<Directory>(&info);
    return directory != nullptr && directory->is_editable;
  }
};

/// `where` names the file in errors: malformed where the text is no JSON, has no url or not exactly
/// one of vcs_info, archive_info and dir_info.
[[nodiscard]] Result<DirectUrl> read_direct_url(std::string_view text, std::string_view where);

/// The path of a "file:" address without its percent escapes; nothing for other addresses, another
/// host than this one, or an escaped NUL.
[[nodiscard]] std::optional<std::string> find_file_path(std::string_view url);

}  // namespace whyso::python
