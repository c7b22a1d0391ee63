// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/interpreter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/environment/python_version.h"
#include "whyso/python/pyvenv_cfg.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {
namespace {

using tree::DirectoryEntry;
using tree::FileKind;
using tree::Resolver;
using tree::Walk;

std::optional<Path> folder_at(Resolver& resolver, const Path& path) {
  const Walk walk = resolver.resolve(path.text());
  if (!walk.is_found() || walk.facts.kind != FileKind::directory) return std::nullopt;
  return walk.real;
}

bool is_file(Resolver& resolver, const Path& path) {
  const Walk walk = resolver.resolve(path.text());
  return walk.is_found() && walk.facts.kind == FileKind::regular;
}

std::vector<DirectoryEntry> entries_of(Resolver& resolver, const Path& folder) {
  const auto real = folder_at(resolver, folder);
  if (!real) return {};
  auto entries = resolver.tree().list(*real, tree::ListDetail::kinds);
  return entries.is_present() ? std::move(entries).value() : std::vector<DirectoryEntry>();
}

/// "python3.11" of ".../bin/python3.11".
std::optional<LibraryName> library_of_executable(const Path& executable) {
  return find_library_name(executable.name());
}

/// Library folders that a prefix has, those of the newest Python last.
std::vector<LibraryName> libraries_below(Resolver& resolver, const Path& prefix) {
  std::vector<LibraryName> found;
  for (std::string_view folder : {"lib", "lib64"}) {
    for (const DirectoryEntry& entry : entries_of(resolver, prefix / folder)) {
      auto name = find_library_name(entry.name);
      if (name && entry.facts.kind != FileKind::regular) found.push_back(*std::move(name));
    }
  }
  const auto number = [](const LibraryName& name) {
    return parse_decimal(name.version.substr(name.version.find('.') + 1)).value_or(0);
  };
  std::ranges::stable_sort(found, {}, number);
  return found;
}

/// Reads one interpreter step by step; each step uses what the ones before found out.
class InterpreterReader {
 public:
  InterpreterReader(const tree::FileTree& tree, const EnvironmentPlace& place)
      : resolver_(tree), place_(place) {}

  Interpreter read() {
    python_.prefix = python_.base_prefix = place_.prefix;
    if (place_.is_bare_folder) return std::move(python_);
    read_settings();
    find_executable();
    find_library();
    find_base();
    find_standard_library();
    find_exact_version();
    find_suffixes();
    return std::move(python_);
  }

 private:
  void read_settings() {
    const Path file = place_.prefix / "pyvenv.cfg";
    const Walk walk = resolver_.resolve(file.text());
    if (!walk.is_found()) return;
    const auto content = resolver_.tree().read(walk.real);
    if (content.is_unreadable()) python_.problems.push_back(content.error());
    if (!content.is_present()) return;
    if (!is_utf8(content.value().blob.text())) {
      python_.problems.push_back(
          {ErrorKind::malformed, file.text(), "is no UTF-8: Python does not start with it"});
    }
    settings_ = python::PyvenvCfg::parse(content.value().blob);
    python_.form = EnvironmentForm::virtual_environment;
    python_.includes_system_packages = settings_->includes_system_site();
    if (settings_->virtualenv()) {
      python_.creator = "virtualenv " + std::string(*settings_->virtualenv());
    }
    if (settings_->uv()) python_.creator = "uv " + std::string(*settings_->uv());
  }

  void find_executable() {
    python_.executable = place_.executable;
    // An environment's own name is python; of a system that may still be Python 2.
    static constexpr std::array<std::string_view, 5> names = {"python", "python3", "pypy3", "pypy",
                                                              "python2"};
    static constexpr std::array<std::string_view, 5> system_names = {"python3", "python", "pypy3",
                                                                     "pypy", "python2"};
    for (std::string_view name : settings_ ? names : system_names) {
      if (python_.executable) break;
      const Path candidate = place_.prefix / "bin" / name;
      const Walk walk = resolver_.resolve(candidate.text(), tree::LastLink::keep);
      if (walk.is_found()) python_.executable = candidate;
    }
    if (!python_.executable) return;
    const Walk walk = resolver_.resolve(python_.executable->text());
    if (walk.is_found() && walk.facts.kind == FileKind::regular) {
      python_.real_executable = walk.real;
    }
  }

  /// The real binary knows best: an environment may have been made by a Python since replaced.
  void find_library() {
    const std::vector<LibraryName> below = libraries_below(resolver_, place_.prefix);
    if (python_.real_executable) python_.library = library_of_executable(*python_.real_executable);
    const auto version = settings_ ? settings_->python_version() : std::nullopt;
    if (!python_.library && version) {
      const std::string_view release = *version;
      const std::string_view short_version =
          release.substr(0, release.find('.', release.find('.') + 1));
      for (const LibraryName& name : below) {
        if (name.version == short_version) python_.library = name;
      }
    }
    if (!python_.library && !below.empty()) python_.library = below.back();
  }

  void find_base() {
    if (settings_) return find_base_of_environment();
    if (const auto origin = origin_of_old_virtualenv()) {
      python_.form = EnvironmentForm::virtual_environment;
      python_.base_prefix = *origin;
      return;
    }
    const bool is_conda = folder_at(resolver_, place_.prefix / "conda-meta").has_value();
    python_.form = is_conda ? EnvironmentForm::conda : EnvironmentForm::installation;
    if (is_conda || !python_.real_executable) return;
    find_base_above(python_.real_executable->parent());
    python_.prefix = python_.base_prefix;
  }

  /// pyvenv.cfg alone makes the environment (site.py); where it names no home, the program's own
  /// place tells the base. Where home is gone, Python falls back to the prefix it was built with,
  /// which is mostly that place, too.
  void find_base_of_environment() {
    const auto home = settings_->home();
    const bool is_found = home && find_base_above(Path::parse(*home));
    if (is_found || !python_.real_executable) return;
    const Path said = python_.base_prefix;
    const bool is_beside = find_base_above(python_.real_executable->parent());
    if (!is_beside && home && !home->empty()) python_.base_prefix = said;
  }

  /// getpath.py: the first folder above that of the executable with the landmark
  /// lib/pythonX.Y/os.py. False: there is none, then it is taken to be the next one above.
  bool find_base_above(const std::optional<Path>& folder) {
    if (!folder) return false;
    const auto real = folder_at(resolver_, *folder);
    python_.base_prefix = real.value_or(*folder).parent();
    for (Path at = real.value_or(*folder); !at.is_root(); at = at.parent()) {
      if (!has_landmark(at)) continue;
      python_.base_prefix = std::move(at);
      return true;
    }
    return false;
  }

  bool has_landmark(const Path& prefix) {
    if (!python_.library) {
      const auto below = libraries_below(resolver_, prefix);
      if (below.empty() || below.back().text.empty()) return false;
      python_.library = below.back();
    }
    return std::ranges::any_of(std::array{"lib", "lib64"}, [&](std::string_view folder) {
      return is_file(resolver_, prefix / folder / python_.library->text / "os.py");
    });
  }

  /// virtualenv before 20 wrote no pyvenv.cfg but this.
  std::optional<Path> origin_of_old_virtualenv() {
    if (!python_.library) return std::nullopt;
    const Path file = place_.prefix / "lib" / python_.library->text / "orig-prefix.txt";
    const Walk walk = resolver_.resolve(file.text());
    if (!walk.is_found()) return std::nullopt;
    const auto content = resolver_.tree().read(walk.real);
    if (!content.is_present()) return std::nullopt;
    python_.includes_system_packages =
        !is_file(resolver_, file.parent() / "no-global-site-packages.txt");
    return Path::parse(trim(content.value().blob.text()));
  }

  void find_standard_library() {
    if (!python_.library) return;
    for (const char* folder : {"lib64", "lib"}) {
      const Path library = python_.base_prefix / folder / python_.library->text;
      if (is_file(resolver_, library / "os.py")) python_.standard_library = library;
      const auto dynamic = folder_at(resolver_, library / "lib-dynload");
      if (!dynamic) continue;
      // lib64 is a Python's own only where it is no other name of lib.
      const auto plain = folder_at(resolver_, python_.base_prefix / "lib");
      const bool is_own = !plain || !dynamic->is_within(*plain);
      if (folder == std::string_view("lib") || is_own)
        python_.lib_dynload = library / "lib-dynload";
      if (folder == std::string_view("lib64") && is_own) python_.library_folder = "lib64";
      if (is_own) break;
    }
    find_rest_of_standard_library();
  }

  void find_rest_of_standard_library() {
    const bool is_environment = python_.form == EnvironmentForm::virtual_environment;
    if (!python_.standard_library) {
      python_.is_base_missing = is_environment;
      return;
    }
    const Path mark = *python_.standard_library / "EXTERNALLY-MANAGED";
    if (!is_environment && is_file(resolver_, mark)) python_.externally_managed = mark;
  }

  void find_exact_version() {
    if (!python_.library) return;
    python_.implementation = python_.library->implementation;
    const FoundVersion found = find_version(resolver_.tree(), python_.base_prefix, *python_.library,
                                            python_.real_executable);
    python_.version = found.text;
    python_.version_source = found.source;
    const auto said = settings_ ? settings_->python_version() : std::nullopt;
    if (!said || found.source != VersionSource::folder || !said->starts_with(found.text + ".")) {
      return;
    }
    python_.version = *said;
    python_.version_source = VersionSource::pyvenv_cfg;
  }

  /// The first is ".cpython-311-x86_64-linux-gnu.so", read off the modules of the standard library.
  void find_suffixes() {
    if (python_.lib_dynload) {
      for (const DirectoryEntry& entry : entries_of(resolver_, *python_.lib_dynload)) {
        const auto dot = entry.name.find('.');
        const bool is_tagged =
            dot != std::string::npos && entry.name.ends_with(".so") && entry.name.size() > dot + 3;
        if (!is_tagged) continue;
        python_.extension_suffixes.push_back(entry.name.substr(dot));
        break;
      }
    }
    if (python_.implementation != "PyPy") python_.extension_suffixes.emplace_back(".abi3.so");
    python_.extension_suffixes.emplace_back(".so");
  }

  Resolver resolver_;
  const EnvironmentPlace& place_;
  std::optional<python::PyvenvCfg> settings_;
  Interpreter python_;
};

}  // namespace

std::string Interpreter::title() const {
  if (version.empty()) return implementation;
  return implementation + " " + version;
}

Interpreter read_interpreter(const tree::FileTree& tree, const EnvironmentPlace& place) {
  return InterpreterReader(tree, place).read();
}

}  // namespace whyso::environment
