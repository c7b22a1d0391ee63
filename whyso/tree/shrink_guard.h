// SPDX-License-Identifier: Apache-2.0
// What happens when a mapped file shrinks while it is read.
#pragma once

namespace whyso::tree {

/// From now on a page of a mapped file that lies behind its new end reads as zeros, where the
/// kernel would end the process by SIGBUS. `require_unchanged` then tells that the bytes are not to
/// be trusted. To be called once, by main; other causes of SIGBUS still end the process.
void guard_against_shrinking_files();

}  // namespace whyso::tree
