// SPDX-License-Identifier: Apache-2.0
// The files and texts of Python packaging.
#include <array>
#include <string>

#include "tests/fuzz/targets.h"
#include "whyso/base/check.h"
#include "whyso/python/conda_meta.h"
#include "whyso/python/direct_url.h"
#include "whyso/python/dpkg_list.h"
#include "whyso/python/egg_info.h"
#include "whyso/python/entry_points.h"
#include "whyso/python/import_scan.h"
#include "whyso/python/metadata.h"
#include "whyso/python/module_name.h"
#include "whyso/python/name.h"
#include "whyso/python/pth_file.h"
#include "whyso/python/pyvenv_cfg.h"
#include "whyso/python/record.h"
#include "whyso/python/requirement.h"
#include "whyso/python/version.h"
#include "whyso/python/wheel.h"
#include "whyso/python/wheel_name.h"

namespace whyso::fuzz {
namespace {

using namespace python;

void record(std::string_view input) {
  const Record read = Record::parse(Blob(std::string(input)));
  for (const RecordRow& row : read.rows()) {
    WHYSO_CHECK(!row.path.empty() && row.path.find('\0') == std::string_view::npos);
    (void)is_record_itself(row);
  }
  WHYSO_CHECK(read.faults().size() <= Record::most_faults);
}

void metadata(std::string_view input) {
  const Metadata read = Metadata::parse(Blob(std::string(input)));
  for (const std::string_view text : read.requires_dist()) (void)Requirement::parse(text);
  (void)read.name();
  (void)Wheel::parse(Blob(std::string(input))).tags();
}

void wheel_name(std::string_view input) {
  const auto name = read_wheel_name(input);
  if (!name) return;
  const TagTarget target{.machine = "x86_64", .libc = LibcKind::glibc, .libc_major = 2};
  (void)is_compatible(name->tags, target);
  WHYSO_CHECK(Version::parse(name->version).is_valid());
}

/// The normal form is valid and means the same; the order is one.
void version(std::string_view input) {
  const auto middle = input.find('\n');
  const Version one = Version::parse(input.substr(0, middle));
  const Version other =
      Version::parse(middle == std::string_view::npos ? "1.0" : input.substr(middle + 1));
  if (one.is_valid()) {
    const Version normal = Version::parse(one.normalized());
    WHYSO_CHECK(normal.is_valid() && normal == one && normal.normalized() == one.normalized());
    WHYSO_CHECK(Version::parse(one.public_text()).is_valid());
  }
  WHYSO_CHECK((one < other) == (other > one));
  WHYSO_CHECK((one == other) == (other == one));
}

void requirement(std::string_view input) {
  const auto read = Requirement::parse(input);
  if (!read) return;
  (void)read->applies_to(linux_environment("3.11.7", "x86_64"));
  (void)read->versions.contains(Version::parse("2.0.dev1+cu128"));
  (void)read->versions.contains(Version::parse("junk"), PreReleases::only_if_named);
}

void marker(std::string_view input) {
  const auto read = Marker::parse(input);
  if (!read) return;
  MarkerEnvironment environment = linux_environment("3.13.0rc1", "aarch64");
  environment.extras = {"dev"};
  (void)read->evaluate(environment);
  (void)read->asks_for_extra();
}

void specifiers(std::string_view input) {
  const auto read = SpecifierSet::parse(input);
  if (!read) return;
  for (const char* text : {"1.0", "2!0.0.0a1.post2.dev3+x.1", "not one"}) {
    (void)read->contains(Version::parse(text));
    (void)read->contains(Version::parse(text), PreReleases::only_if_named);
  }
}

void pyvenv_cfg(std::string_view input) {
  const PyvenvCfg read = PyvenvCfg::parse(Blob(std::string(input)));
  (void)read.home();
  (void)read.includes_system_site();
  (void)read.python_version();
  (void)read.prompt();
}

void pth(std::string_view input) { (void)read_pth(input); }

void imports(std::string_view input) {
  const ImportScan scan = scan_imports(input);
  for (const ImportStatement& statement : scan.imports) {
    WHYSO_CHECK(statement.block.index < scan.blocks.size());
  }
  (void)is_type_checking(input);
}

void names(std::string_view input) {
  const std::string normal = normalized_name(input);
  WHYSO_CHECK(!is_valid_name(input) || normalized_name(normal) == normal);
  (void)is_same_name(input, normal);
  (void)find_metadata_folder_name(input);
  const auto module = find_extension_module(input);
  if (module) (void)is_importable_by(module->tag, {});
  (void)find_source_module(input);
}

void installed(std::string_view input) {
  (void)read_entry_points(input);
  (void)read_installed_files(input);
  (void)read_top_level(input);
  (void)read_requires_txt(input);
  (void)read_egg_link(input);
  (void)read_dpkg_list(input);
  (void)read_dpkg_status(input);
  (void)find_dpkg_list_name(input);
}

void json_files(std::string_view input) {
  (void)read_conda_meta(input, "fuzzed");
  const auto url = read_direct_url(input, "fuzzed");
  if (url) (void)find_file_path(url->url);
  (void)find_file_path(input);
}

constexpr std::array<Target, 13> targets{{{"record", record},
                                          {"metadata", metadata},
                                          {"wheel_name", wheel_name},
                                          {"version", version},
                                          {"requirement", requirement},
                                          {"marker", marker},
                                          {"specifiers", specifiers},
                                          {"pyvenv_cfg", pyvenv_cfg},
                                          {"pth", pth},
                                          {"imports", imports},
                                          {"names", names},
                                          {"installed", installed},
                                          {"json_files", json_files}}};

}  // namespace

std::span<const Target> python_targets() { return targets; }

}  // namespace whyso::fuzz
