// SPDX-License-Identifier: Apache-2.0
// The files of egg-info folders that say who owns what, and their requirements. PKG-INFO is
// metadata.h. SOURCES.txt is deliberately not read: it lists what was packed, not what is
// installed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whyso::python {

/// installed-files.txt, written by old pip: paths relative to the egg-info folder. Views of `text`.
[[nodiscard]] std::vector<std::string_view> read_installed_files(std::string_view text);

/// top_level.txt: names of modules and packages. Views of `text`.
[[nodiscard]] std::vector<std::string_view> read_top_level(std::string_view text);

/// requires.txt as requirement strings with markers, as importlib.metadata makes them: the section
/// "[test:python_version<'3']" becomes `; (python_version<'3') and extra == "test"`.
[[nodiscard]] std::vector<std::string> read_requires_txt(std::string_view text);

/// NAME.egg-link of a development install: the folder of the sources, and from there to setup.py.
struct EggLink {
  std::string_view folder;
  std::string_view setup;  ///< empty where not said
};

/// Nothing where it names no folder. Views of `text`.
[[nodiscard]] std::optional<EggLink> read_egg_link(std::string_view text);

}  // namespace whyso::python
