// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/versions.h"

#include <algorithm>
#include <string_view>

namespace whyso::loader {
namespace {

/// The checks of one process; the answers for a pair of files are kept in the Loader.
class VersionCheck {
 public:
  VersionCheck(const ProcessState& state, bool may_lack)
      : state_(state), loader_(*state.loader), may_lack_(may_lack) {}

  /// False where the check ends here.
  bool check(Id<Object> requirer) {
    const auto file = state_.objects[requirer].file;
    if (!file) return true;
    const KnownFile& known = loader_.files().file(*file);
    const auto& wants = known.object.versions.wants;
    for (std::size_t i = 0; i < wants.size(); ++i) {
      if (!check_want(requirer, *file, i)) return false;
    }
    return wants.empty() || check_relr(requirer, known.object);
  }

  std::vector<VersionFault> faults;

 private:
  bool check_want(Id<Object> requirer, Id<KnownFile> file, std::size_t index) {
    const auto provider = state_.objects.find_asked_for(loader_.version_file(file, index));
    if (!provider) {
      if (may_lack_) return true;
      faults.push_back({VersionFaultKind::no_provider, requirer, assertion_text(loader_.rules())});
      return false;
    }
    const auto provider_file = state_.objects[*provider].file;
    if (!provider_file) return true;
    const std::string& by = name_of(requirer);
    for (const MissingVersion& missing : loader_.missing_versions(file, index, *provider_file)) {
      faults.push_back(fault_of(missing, *provider, by));
    }
    return true;
  }

  static VersionFault fault_of(const MissingVersion& missing, Id<Object> provider,
                               const std::string& by) {
    const std::string required = " (required by " + by + ")";
    if (missing.is_unversioned_provider) {
      return {VersionFaultKind::no_information, provider,
              "no version information available" + required};
    }
    const std::string text = "version `" + missing.version + "' not found" + required;
    if (missing.is_weak) return {VersionFaultKind::weak_missing, provider, "weak " + text};
    return {VersionFaultKind::missing, provider, text};
  }

  /// glibc 2.36: relative relocations of the packed kind need a libc that says it knows them.
  bool check_relr(Id<Object> requirer, const ObjectFile& file) {
    if (!loader_.rules().is_at_least(36) || !file.versions.has_relr) return true;
    const bool is_marked = std::ranges::any_of(file.versions.wants, [](const VersionWant& want) {
      return std::ranges::any_of(want.versions, [](const WantedVersion& version) {
        return version.name == "GLIBC_ABI_DT_RELR";
      });
    });
    const bool needs_libc = std::ranges::any_of(file.dynamic.wants, [](const Want& want) {
      return want.kind == WantKind::needed && want.name.starts_with("libc.so.");
    });
    if (is_marked || !needs_libc) return true;
    faults.push_back({VersionFaultKind::no_relr_marker, requirer,
                      "DT_RELR without GLIBC_ABI_DT_RELR dependency"});
    return false;
  }

  [[nodiscard]] const std::string& name_of(Id<Object> object) const {
    const std::string& path = loader_.files().text(state_.objects[object].path);
    return path.empty() ? state_.program_name : path;
  }

  const ProcessState& state_;
  Loader& loader_;
  bool may_lack_;
};

}  // namespace

std::vector<VersionFault> check_versions(const ProcessState& state,
                                         const std::vector<Id<Object>>& objects, bool may_lack) {
  VersionCheck check(state, may_lack);
  for (const Id<Object> object : objects) {
    if (!check.check(object)) break;
  }
  return std::move(check.faults);
}

std::optional<Id<Object>> find_isa_fault(const ProcessState& state,
                                         const std::vector<Id<Object>>& objects) {
  const LoaderRules& rules = state.loader->rules();
  const bool is_x86 =
      rules.abi.machine == elf::Machine::x86_64 || rules.abi.machine == elf::Machine::i386;
  if (!is_x86 || !rules.is_at_least(33)) return std::nullopt;
  const std::uint32_t has = (1U << static_cast<unsigned>(rules.isa_level)) - 1;
  for (const Id<Object> object : objects) {
    const auto file = state.objects[object].file;
    if (!file) continue;
    if ((state.loader->files().file(*file).object.versions.isa_needed & ~has) != 0) return object;
  }
  return std::nullopt;
}

std::string assertion_text(const LoaderRules& rules) {
  const std::string line = std::to_string(assertion_lines_of(rules.glibc).version_provider);
  return "Inconsistency detected by ld.so: dl-version.c: " + line +
         ": _dl_check_map_versions: Assertion `needed != NULL' failed!";
}

}  // namespace whyso::loader
