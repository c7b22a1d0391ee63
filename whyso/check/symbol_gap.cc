// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/symbol_gap.h"

#include <algorithm>
#include <optional>

#include "whyso/elf/image.h"
#include "whyso/elf/symbols.h"

namespace whyso::check {
namespace {

using loader::KnownFile;

/// A file's symbols with the bytes that they are views of.
struct Definitions {
  Blob blob;
  std::optional<elf::SymbolTable> symbols;
};

Definitions read_definitions(const tree::FileTree& tree, const Path& path) {
  const auto content = tree.read(path);
  if (!content.is_present()) return {};
  Definitions result{.blob = content.value().blob};
  const auto image = elf::ElfImage::parse(result.blob, path.text());
  if (!image) return {};
  const auto memory = image->memory();
  const auto dynamic = image->dynamic();
  if (!memory || !dynamic || !*dynamic) return {};
  auto symbols = elf::SymbolTable::read(*memory, (*dynamic)->tables, image->header().machine);
  if (symbols) result.symbols = *std::move(symbols);
  return result;
}

/// The started Python with its libraries and ld.so, then what the load maps.
std::vector<Id<KnownFile>> files_in_process(const StartedPython& python, const ModuleLoad& load) {
  std::vector<Id<KnownFile>> files;
  for (const auto& object : python.process->objects()) {
    if (object.file) files.push_back(*object.file);
  }
  auto& loader = python.process->loader();
  const auto& opening = loader.files().opening(loader.files().open(loader.rules().interpreter));
  if (opening.file) files.push_back(*opening.file);
  files.insert(files.end(), load.mapped.begin(), load.mapped.end());
  return files;
}

bool is_defined(const std::vector<Definitions>& scope, const elf::Symbol& reference) {
  const elf::SymbolRequest request{
      .name = reference.name,
      .version = reference.version ? std::optional(reference.version->name) : std::nullopt};
  return std::ranges::any_of(scope, [&](const Definitions& definitions) {
    if (!definitions.symbols) return false;
    const auto found = definitions.symbols->find(request);
    return !found || *found;  // a damaged table proves nothing
  });
}

bool needs_one_of(const KnownFile& file, const loader::Files& files,
                  const std::set<Id<KnownFile>>& suspects) {
  return std::ranges::any_of(file.wants, [&](const loader::WantedName& want) {
    return std::ranges::any_of(suspects, [&](Id<KnownFile> suspect) {
      const KnownFile& other = files.file(suspect);
      return other.soname == want.name || other.object.real.name() == files.text(want.name);
    });
  });
}

void add_gaps(std::vector<SymbolGap>& gaps, const std::vector<Definitions>& scope,
              const Definitions& requirer, const Path& path) {
  if (!requirer.symbols) return;
  const auto symbols = requirer.symbols->all();
  if (!symbols) return;
  for (const auto& symbol : *symbols) {
    const bool must_exist = symbol.is_undefined() && symbol.binding == elf::SymbolBinding::global &&
                            !symbol.name.empty();
    if (!must_exist || is_defined(scope, symbol)) continue;
    const bool is_known = std::ranges::any_of(gaps, [&](const SymbolGap& gap) {
      return gap.requirer == path && gap.symbol == symbol.name;
    });
    if (is_known) continue;
    gaps.push_back({.requirer = path,
                    .symbol = std::string(symbol.name),
                    .version = std::string(symbol.version ? symbol.version->name : "")});
  }
}

}  // namespace

std::vector<SymbolGap> find_symbol_gaps(const tree::FileTree& tree, const StartedPython& python,
                                        const ModuleLoad& load,
                                        const std::set<Id<KnownFile>>& suspects) {
  const auto& files = python.process->loader().files();
  const auto in_process = files_in_process(python, load);
  std::vector<Definitions> scope;
  for (const auto id : in_process) {
    scope.push_back(read_definitions(tree, files.file(id).object.real));
  }
  std::vector<SymbolGap> gaps;
  for (std::size_t i = 0; i < in_process.size(); ++i) {
    const KnownFile& file = files.file(in_process[i]);
    if (needs_one_of(file, files, suspects)) add_gaps(gaps, scope, scope[i], file.object.real);
  }
  return gaps;
}

bool defines(const tree::FileTree& tree, const Path& file, const SymbolGap& gap) {
  const auto definitions = read_definitions(tree, file);
  if (!definitions.symbols) return false;
  const auto found = definitions.symbols->find(
      {.name = gap.symbol,
       .version =
           gap.version.empty() ? std::nullopt : std::optional<std::string_view>(gap.version)});
  return found && *found;
}

}  // namespace whyso::check
