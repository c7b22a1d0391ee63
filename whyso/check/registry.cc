// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/registry.h"

#include <array>

namespace whyso::check {
namespace {

/// Found where suppressions are applied or a change is planned, not in the world.
std::vector<Finding> found_elsewhere(const World& /*world*/, const Diagnosis& /*diagnosis*/) {
  return {};
}

constexpr std::array<Rule, 23> all = {{
    {"SO101", "missing-library", "a library is needed and nothing installed has or lists it",
     find_missing_library},
    {"SO102", "gutted-package", "a package's metadata is intact and its files are gone",
     find_gutted_package},
    {"SO103", "wrong-architecture", "a file is there that this machine's loader cannot use",
     find_wrong_architecture},
    {"SO104", "broken-link", "a link that is needed leads nowhere", find_broken_link},
    {"SO105", "missing-dlopen-library", "a library that native code opens by name is not found",
     find_missing_dlopen_library},
    {"SO106", "import-order", "a library is taken from what another import has loaded before",
     find_import_order},
    {"SO201", "metadata-only", "a package never had a file besides its metadata",
     find_metadata_only},
    {"SO202", "shared-file", "several packages list one path with different contents",
     find_shared_file},
    {"SO203", "bytes-belong-to-other", "a library listed by one package holds another's bytes",
     find_bytes_belong_to_other},
    {"SO204", "record-mismatch", "a file is not the one that its package recorded",
     find_record_mismatch},
    {"SO205", "orphan-library", "a library that no package lists", find_orphan_library},
    {"SO206", "duplicate-dist-info", "a package is listed twice in one folder",
     find_duplicate_dist_info},
    {"SO304", "two-majors-in-one-process", "one process holds two majors of a library",
     find_two_majors},
    {"SO305", "duplicate-runtime", "a runtime library is there in several copies",
     find_duplicate_runtime},
    {"SO401", "shadowed-by-env", "a library in LD_LIBRARY_PATH wins over the one that is meant",
     find_shadowed_by_env},
    {"SO402", "system-copy-wins", "the system's copy of a library serves, not the environment's",
     find_system_copy_wins},
    {"SO403", "rpath-leaves-env", "a path in a file leads out of the environment",
     find_rpath_leaves_env},
    {"SO503", "cudnn-parts-differ", "parts of one library are of several releases",
     find_family_parts_differ},
    {"SO506", "wrong-cuda-generation", "a library is built for another generation of CUDA",
     find_wrong_cuda_generation},
    {"SO601", "removal-breaks", "an uninstall would take what something else needs",
     found_elsewhere},
    {"SO603", "shared-file-would-go", "an uninstall would take files that another package lists",
     found_elsewhere},
    {"SO901", "unreadable", "a part could not be looked at", find_unreadable},
    {"SO903", "unused-suppression", "an entry of the ignore list is unused or expired",
     found_elsewhere},
}};

}  // namespace

std::span<const Rule> rules() { return all; }

}  // namespace whyso::check
