// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/pyvenv_cfg.h"

#include <gtest/gtest.h>

namespace whyso::python {
namespace {

PyvenvCfg parse(std::string text) { return PyvenvCfg::parse(Blob(std::move(text))); }

TEST(PyvenvCfg, of_venv_is_read) {
  const PyvenvCfg cfg = parse(
      "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n"
      "executable = /usr/bin/python3.11\ncommand = /usr/bin/python3 -m venv /tmp/a=b\n");
  EXPECT_EQ(cfg.home(), "/usr/bin");
  EXPECT_FALSE(cfg.includes_system_site());
  EXPECT_EQ(cfg.python_version(), "3.11.2");
  EXPECT_EQ(cfg.find("command"), "/usr/bin/python3 -m venv /tmp/a=b");
  EXPECT_EQ(cfg.uv(), std::nullopt);
}

TEST(PyvenvCfg, of_uv_and_virtualenv_is_read) {
  const PyvenvCfg uv = parse(
      "home = /opt/python/bin\nimplementation = CPython\nuv = 0.9.5\nversion_info = 3.11.7\n"
      "include-system-site-packages = false\nprompt = demo\n");
  EXPECT_EQ(uv.uv(), "0.9.5");
  EXPECT_EQ(uv.python_version(), "3.11.7");
  EXPECT_EQ(uv.prompt(), "demo");
  const PyvenvCfg virtualenv = parse(
      "home = /usr/bin\nimplementation = CPython\nversion_info = 3.11.7.final.0\n"
      "virtualenv = 20.26.6\ninclude-system-site-packages = true\n");
  EXPECT_EQ(virtualenv.python_version(), "3.11.7");
  EXPECT_EQ(virtualenv.virtualenv(), "20.26.6");
  EXPECT_TRUE(virtualenv.includes_system_site());
}

// site.py, venv(): system_site = "true" unless a line says otherwise; keys in any case.
TEST(PyvenvCfg, includes_the_system_site_unless_it_says_no) {
  EXPECT_TRUE(parse("home = /usr/bin\n").includes_system_site());
  EXPECT_TRUE(parse("Include-System-Site-Packages=TRUE\r\n").includes_system_site());
  EXPECT_FALSE(parse("include-system-site-packages = yes\n").includes_system_site());
  EXPECT_FALSE(parse("include-system-site-packages = true\ninclude-system-site-packages =\n")
                   .includes_system_site());
}

// getpath.py leaves its loop at the first "home".
TEST(PyvenvCfg, home_is_the_first_one) {
  EXPECT_EQ(parse("HOME = /a\nhome = /b\n").home(), "/a");
  EXPECT_EQ(parse("no setting\n").home(), std::nullopt);
  EXPECT_EQ(parse("").python_version(), std::nullopt);
}

}  // namespace
}  // namespace whyso::python
