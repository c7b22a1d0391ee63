// SPDX-License-Identifier: Apache-2.0
// The shared objects of an environment and what part each can play. Loads nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/table.h"
#include "whyso/environment/environment.h"
#include "whyso/loader/files.h"
#include "whyso/tree/file_tree.h"

namespace whyso::check {

enum class Role : std::uint8_t {
  extension_module,  ///< this Python can import it by its name
  standard_module,   ///< an extension module of Python itself, in lib-dynload
  foreign_module,    ///< an extension module of another Python or platform
  library,           ///< all else: loaded by others, or by nobody
};

/// One file that is called like a shared object.
struct NativeObject {
  Path path;  ///< without links on the way
  tree::FileFacts facts;
  Role role = Role::library;
  std::string module;       ///< "torch._C"; only of an extension module
  std::string import_path;  ///< as Python spells the file: the folder of sys.path, then the rest
  std::vector<Id<environment::Distribution>> owners;
  /// What the loader sees in it; nothing where it could not be read.
  std::optional<Id<loader::KnownFile>> file;
  loader::Verdict verdict = loader::Verdict::taken;
};

using NativeId = Id<NativeObject>;

/// "libx.so", "libx.so.1.2", "_C.abi3.so": may the loader be asked for a file of that name?
[[nodiscard]] bool is_library_name(std::string_view name);

/// "libcudart" of "libcudart.so.12", empty where there is no ".so" in it.
[[nodiscard]] std::string_view library_stem(std::string_view name);

/// All regular files with a library's name in the folders of packages and in lib-dynload, sorted by
/// path. Reads their headers and dynamic sections on all cores, into `files`.
[[nodiscard]] Table<NativeObject> read_natives(const tree::FileTree& tree,
                                               const environment::Environment& environment,
                                               loader::Files& files);

}  // namespace whyso::check
