// SPDX-License-Identifier: Apache-2.0
// ld.so.conf against ldconfig, ld.so.preload and the strings of ld.so against the loader.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "whyso/base/text.h"
#include "whyso/ldso/conf.h"
#include "whyso/ldso/loader_strings.h"
#include "whyso/ldso/preload.h"

namespace whyso::ldso {
namespace {

using Lines = std::vector<std::string>;

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 65536> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe.get())) {
    text.append(part.data(), n);
  }
  return text;
}

std::string between(std::string_view line, std::string_view before, std::string_view after) {
  const std::size_t from = line.find(before);
  if (from == std::string_view::npos) return {};
  const std::size_t start = from + before.size();
  return std::string(line.substr(start, line.find(after, start) - start));
}

Lines directories_of(std::string_view conf) {
  Lines directories;
  for (const ConfEntry& entry : parse_conf(conf)) {
    if (entry.kind == ConfKind::directory) directories.emplace_back(entry.text);
  }
  return directories;
}

TEST(Conf, has_folders_and_includes_with_their_lines) {
  EXPECT_EQ(
      parse_conf("# all\n\n/opt/a/ # mine\n  include\tone.conf  /etc/two*.conf\nhwcap 1 x\n/b"),
      (std::vector<ConfEntry>{{ConfKind::directory, "/opt/a", 3},
                              {ConfKind::include, "one.conf", 4},
                              {ConfKind::include, "/etc/two*.conf", 4},
                              {ConfKind::directory, "/b", 6}}));
}

TEST(Conf, agrees_with_ldconfig_on_odd_lines) {
  const std::string conf =
      "/plain\n  \t/indented\n/slashes///\n/trailing \t\n/comment#x\n#/no\n/two /words\ninclude\n"
      "HWCAP 0 nosegneg\n/carriage\r\n/type=libc6\n/last";
  const std::string root = testing::TempDir() + "whyso_conf_" + std::to_string(getpid());
  std::filesystem::create_directories(root + "/etc");
  for (const std::string& directory : directories_of(conf)) {
    std::filesystem::create_directories(root + "/" + directory);
  }
  std::ofstream(root + "/etc/ld.so.conf", std::ios::binary) << conf;
  const std::string text =
      output_of("LC_ALL=C /sbin/ldconfig -v -N -X -r " + root + " 2>/dev/null");
  std::filesystem::remove_all(root);
  Lines said;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t end = line.find(": (from /etc/ld.so.conf:");
    if (end != std::string_view::npos) said.emplace_back(line.substr(0, end));
  }
  if (said.empty()) GTEST_SKIP() << "needs an ldconfig that says whence a folder is";
  EXPECT_EQ(directories_of(conf), said);
}

TEST(Preload, splits_the_variable_at_spaces_and_colons) {
  EXPECT_EQ(parse_preload_variable(" /a.so:b.so  c.so\t:"),
            (std::vector<std::string_view>{"/a.so", "b.so", "c.so\t"}));
  EXPECT_TRUE(parse_preload_variable("").empty());
}

// What the loader of this machine tries to preload for that file, in a mount namespace of its own.
Lines preloads_by_loader(const std::string& content) {
  const std::string path = testing::TempDir() + "whyso_preload_" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary) << content;
  const std::string text =
      output_of(fmt::format("unshare -rm sh -c 'mkdir -p {0}.d && mount -t tmpfs none {0}.d && cp "
                            "{0} {0}.d/ld.so.preload && "
                            "mount --bind {0}.d /etc && exec /bin/true' 2>&1; rmdir {0}.d",
                            path));
  std::filesystem::remove(path);
  Lines names;
  for (const std::string_view line : split(text, '\n')) {
    const std::string name = between(line, "object '", "' from /etc/ld.so.preload");
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

TEST(Preload, agrees_with_the_loader_on_files) {
  if (preloads_by_loader("/no/such.so\n") != Lines{"/no/such.so"})
    GTEST_SKIP() << "needs unshare -rm";
  const std::string long_comment = "#" + std::string(60, 'x') + "\n";
  for (const std::string& content : Lines{
           "/n/a.so /n/b.so:/n/c.so\t/n/d.so\n/n/e.so",
           "# one\n/n/a.so\n",
           "# one\n# two\n/n/a.so\n",
           "/n/a.so # one\n/n/b.so # two\n/n/c.so\n",
           "/n/a.so # one\n/n/b.so # two\n/n/c.so # three\n/n/d.so #four\n/n/e.so\n/n/f.so",
           long_comment + "/n/a.so\n# late comment\n/n/b.so\n",
           "/n/a.so\n" + long_comment + "/n/b.so #",
           "#",
           ":::",
       }) {
    EXPECT_EQ(parse_preload_file(content), preloads_by_loader(content)) << content;
  }
}

std::string loader_of_this_machine() {
  for (const char* path : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"}) {
    if (std::filesystem::exists(path)) return path;
  }
  return {};
}

TEST(LoaderStrings, agree_with_what_the_loader_says_of_itself) {
  const std::string path = loader_of_this_machine();
  const std::string text = path.empty() ? "" : output_of(path + " --list-diagnostics 2>/dev/null");
  if (!text.contains("path.system_dirs")) GTEST_SKIP() << "needs ld.so --list-diagnostics";
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const LoaderStrings strings = read_loader_strings(bytes_of(bytes));

  Lines directories;
  std::string version;
  std::string etc;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("path.system_dirs")) directories.push_back(between(line, "\"", "\""));
    if (line.starts_with("version.version=")) version = between(line, "\"", "\"");
    if (line.starts_with("path.sysconfdir=")) etc = between(line, "\"", "\"");
  }
  EXPECT_EQ(strings.family, LoaderFamily::glibc);
  EXPECT_EQ(Lines(strings.directories.begin(), strings.directories.end()), directories);
  EXPECT_EQ(strings.version->text(), version);
  EXPECT_EQ(strings.cache_path, etc + "/ld.so.cache");
  EXPECT_EQ(strings.preload_path, etc + "/ld.so.preload");
  EXPECT_TRUE(strings.features.has_glibc_hwcaps);
  EXPECT_EQ(strings.features.has_legacy_hwcaps, *strings.version < (LoaderVersion{2, 37}));
  EXPECT_EQ(strings.features.checks_relr_marker, *strings.version >= (LoaderVersion{2, 36}));
  // The loader asks the kernel nothing for $LIB; it holds the value as a text.
  EXPECT_NE(bytes.find(fmt::format("{}{}{}", '\0', strings.lib_token.value(), '\0')),
            std::string::npos);
}

TEST(LoaderStrings, of_other_bytes_are_absent) {
  const LoaderStrings nothing = read_loader_strings(bytes_of("\0/lib/\0"));
  EXPECT_EQ(nothing.family, LoaderFamily::unknown);
  EXPECT_TRUE(nothing.directories.empty());
}

TEST(LoaderStrings, of_other_distributions_have_their_own_directories) {
  using namespace std::string_view_literals;
  const auto fedora = read_loader_strings(
      bytes_of("LD_LIBRARY_PATH\0/x/\0\1/lib64/\0/usr/lib64/\0\0/etc/ld.so.cache\0"
               "ld.so (GNU libc) release release version 2.39.\nCopyright\0\0"sv));
  EXPECT_EQ(fedora.directories, (std::vector<std::string_view>{"/lib64/", "/usr/lib64/"}));
  EXPECT_EQ(fedora.lib_token, "lib64");
  EXPECT_EQ(fedora.version, (LoaderVersion{2, 39}));
  const auto nix = read_loader_strings(bytes_of(
      "LD_LIBRARY_PATH\0/nix/store/abc-glibc-2.39/lib/\0/nix/store/abc/etc/ld.so.cache\0"sv));
  EXPECT_EQ(nix.directories, (std::vector<std::string_view>{"/nix/store/abc-glibc-2.39/lib/"}));
  EXPECT_EQ(nix.lib_token, "lib");
  EXPECT_EQ(nix.cache_path, "/nix/store/abc/etc/ld.so.cache");
  EXPECT_EQ(nix.version, std::nullopt);
}

TEST(LoaderStrings, of_musl_are_told_apart) {
  using namespace std::string_view_literals;
  const auto musl =
      read_loader_strings(bytes_of("LD_LIBRARY_PATH\0musl libc (x86_64)\nVersion %s\nDynamic\0\0"
                                   "1.2.3\0/lib:/usr/lib\0"sv));
  EXPECT_EQ(musl.family, LoaderFamily::musl);
  EXPECT_EQ(musl.version, (LoaderVersion{1, 2, 3}));
}

TEST(LoaderVersion, is_read_from_a_libc_too) {
  using namespace std::string_view_literals;
  EXPECT_EQ(
      find_glibc_version(bytes_of(
          "x\0GNU C Library (Debian GLIBC 2.31-13) stable release version 2.31.\nCopyright\0"sv)),
      (LoaderVersion{2, 31}));
  EXPECT_EQ(LoaderVersion::parse("2.x"), std::nullopt);
  EXPECT_EQ(LoaderVersion::parse("2"), std::nullopt);
  EXPECT_EQ(LoaderVersion::parse("1.2.3")->text(), "1.2.3");
}

}  // namespace
}  // namespace whyso::ldso
