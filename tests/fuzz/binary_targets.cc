// SPDX-License-Identifier: Apache-2.0
// Binary formats: ELF and its tables, what the loader makes of a file, the cache, zip.
#include <array>
#include <string>

#include "tests/fuzz/targets.h"
#include "whyso/archive/zip.h"
#include "whyso/base/check.h"
#include "whyso/elf/image.h"
#include "whyso/ldso/cache.h"
#include "whyso/ldso/loader_strings.h"
#include "whyso/loader/load.h"
#include "whyso/tree/memory_tree.h"

namespace whyso::fuzz {
namespace {

void elf_image(std::string_view input) {
  const auto image = elf::ElfImage::parse(Blob(std::string(input)), "fuzzed");
  if (!image) return;
  (void)elf::abi_of(image->header());
  (void)image->segments();
  (void)image->missing_bytes();
  (void)image->interpreter();
  (void)image->dynamic_entries();
  (void)image->dynamic();
  (void)image->gnu_stack();
}

void elf_notes(std::string_view input) {
  const auto image = elf::ElfImage::parse(Blob(std::string(input)));
  if (image) (void)image->notes();
}

void elf_versions(std::string_view input) {
  const auto image = elf::ElfImage::parse(Blob(std::string(input)));
  if (!image) return;
  (void)image->version_needs();
  (void)image->version_definitions();
}

/// Every symbol that the table names as defined can be asked for without a fault.
void elf_symbols(std::string_view input) {
  const auto image = elf::ElfImage::parse(Blob(std::string(input)));
  if (!image) return;
  const auto table = image->symbols();
  if (!table) return;
  (void)table->count();
  const auto symbols = table->all();
  constexpr std::size_t enough = 64;
  if (symbols) {
    for (std::size_t i = 0; i < symbols->size() && i < enough; ++i) {
      const elf::Symbol& symbol = (*symbols)[i];
      elf::SymbolRequest request{.name = symbol.name};
      (void)table->find(request);
      request.takes_newest = true;
      (void)table->find(request);
      if (symbol.version) request.version = symbol.version->name;
      (void)table->find(request);
    }
  }
  (void)table->find({.name = "printf", .version = "GLIBC_2.2.5"});
}

loader::LoaderRules rules_of_test() {
  loader::LoaderRules rules;
  rules.abi = {.elf_class = elf::ElfClass::elf64, .machine = elf::Machine::x86_64};
  rules.interpreter = "/lib64/ld.so";
  rules.soname = "ld.so.2";
  rules.default_directories = {"/lib/"};
  rules.library_token = "lib64";
  rules.platform = "x86_64";
  rules.subdirectories = {"tls/", ""};
  return rules;
}

/// The input as the program, and as a library that a program of the same bytes opens.
void loader_start(std::string_view input) {
  tree::MemoryTree tree;
  for (const char* path : {"/app/prog", "/lib/liba.so", "/lib/libb.so"}) tree.add_file(path, input);
  tree::Resolver resolver(tree);
  loader::Loader loader(resolver, rules_of_test(), {});
  loader::Process process(loader);
  const loader::Outcome outcome = process.start("/app/prog");
  if (!outcome.root || outcome.error) return;
  for (const char* name : {"/lib/liba.so", "libb.so"}) {
    const loader::Outcome opened = process.open({.name = name});
    if (opened.root) process.close(*opened.root);
  }
}

void ldso_cache(std::string_view input) {
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    const auto cache = ldso::Cache::parse(bytes_of(input), "cache", order);
    if (!cache) continue;
    (void)cache->entries();
    (void)cache->hwcaps_names();
    (void)cache->generator();
    for (const char* name : {"libc.so.6", "libz.so.01", "", "lib9.so"}) (void)cache->find(name);
  }
}

void ldso_strings(std::string_view input) {
  (void)ldso::read_loader_strings(bytes_of(input));
  (void)ldso::find_glibc_version(bytes_of(input));
}

void zip(std::string_view input) {
  const auto archive = archive::ZipArchive::parse(Blob(std::string(input)), "fuzzed", 1000);
  if (!archive) return;
  for (const archive::ZipMember& member : archive->members()) {
    constexpr std::uint64_t limit = 1U << 20U;
    const auto content = archive->read(member, limit);
    WHYSO_CHECK(!content || content->size() <= limit);
    WHYSO_CHECK(archive->find(member.name) != nullptr);
  }
}

constexpr std::array<Target, 8> targets{{{"elf", elf_image},
                                         {"elf_notes", elf_notes},
                                         {"elf_versions", elf_versions},
                                         {"elf_symbols", elf_symbols},
                                         {"loader", loader_start},
                                         {"ldso_cache", ldso_cache},
                                         {"ldso_strings", ldso_strings},
                                         {"zip", zip}}};

}  // namespace

std::span<const Target> binary_targets() { return targets; }

}  // namespace whyso::fuzz
