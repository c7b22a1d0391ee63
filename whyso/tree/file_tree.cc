// SPDX-License-Identifier: Apache-2.0
#include "whyso/tree/file_tree.h"

namespace whyso::tree {

Result<void> require_unchanged(const FileTree& tree, const Path& path, const FileFacts& facts) {
  const auto now = tree.stat(path);
  if (now.is_present() && now.value() == facts) return {};
  return failure(ErrorKind::changed_while_read, path.text(), "the file changed while it was read");
}

}  // namespace whyso::tree
