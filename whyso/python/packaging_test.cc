// SPDX-License-Identifier: Apache-2.0
// Compares with Python's `packaging`, the reference implementation of these specifications.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "whyso/base/text.h"
#include "whyso/python/ask_python_test.h"
#include "whyso/python/name.h"
#include "whyso/python/requirement.h"
#include "whyso/python/tag.h"
#include "whyso/python/version.h"
#include "whyso/python/wheel_name.h"

namespace whyso::python {
namespace {

std::string lines(const std::vector<std::string>& texts) { return join(texts, "\n"); }

std::vector<std::string> each_with_each(const std::vector<std::string>& begins,
                                        std::initializer_list<std::string_view> ends) {
  std::vector<std::string> result;
  for (const std::string& begin : begins) {
    for (const std::string_view end : ends) result.push_back(begin + std::string(end));
  }
  return result;
}

/// Every combination of the parts that the grammar of versions allows, and some that it does not.
std::vector<std::string> versions() {
  std::vector<std::string> result = {"1", "1.0", "1.0.1", "2!0.1", "v01.10"};
  result = each_with_each(result, {"", "a", "-A.2", "b_3", "rc1", "preview01", ".x"});
  result = each_with_each(result, {"", "-1", ".post", "rev2", "-r.3", "_post-04"});
  result = each_with_each(result, {"", ".dev", "dev1", "-dev_10"});
  return each_with_each(result, {"", "+cu128", "+1.X-02", "+a..b", "+10"});
}

std::vector<std::string> few_versions() {
  return {"0",           "0.9",       "1.dev0",    "1.0a1.dev2", "1.0a1",       "1.0a1+x",
          "1.0a1.post1", "1.0b2",     "1.0rc1",    "1.0.dev3",   "1.0",         "1",
          "1.0+cu128",   "1.0+1",     "1.0.post0", "1.0.post1",  "1.0.post1+y", "1.0.post1.dev2",
          "1.0.post2",   "1.0.0.1",   "1.0.1",     "1.1.dev1",   "1.1a1",       "1.1",
          "1.1.post1",   "1.2+local", "1.10",      "2.0rc1",     "2.0",         "2",
          "1!0.1",       "1!1.0",     "1!1.0a1",   "not valid"};
}

TEST(Packaging, agrees_on_the_normal_form_of_versions) {
  const std::vector<std::string> texts = versions();
  const PythonAnswer answer = ask_python(
      "import sys\nfrom packaging.version import Version, InvalidVersion\n"
      "def normal(text):\n"
      "    try:\n        v = Version(text)\n"
      "    except InvalidVersion:\n        return 'invalid'\n"
      "    return f'{v} {v.public} {v.base_version} {int(v.is_prerelease)}'\n"
      "print('\\n'.join(normal(line) for line in sys.stdin.read().split('\\n')), end='')\n",
      lines(texts));
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  std::vector<std::string> ours;
  for (const std::string& text : texts) {
    const Version version = Version::parse(text);
    ours.push_back(version.is_valid()
                       ? version.normalized() + " " + version.public_text() + " " +
                             version.base_text() + " " + (version.is_prerelease() ? "1" : "0")
                       : "invalid");
  }
  EXPECT_EQ(lines(ours), answer.output);
}

TEST(Packaging, agrees_on_the_order_of_versions) {
  std::vector<std::string> texts;
  for (std::string& text : versions()) {
    if (Version::parse(text).is_valid() && texts.size() < 1'000'000) texts.push_back(text);
  }
  const PythonAnswer answer = ask_python(
      "import sys\nfrom packaging.version import Version\n"
      "vs = [(Version(line), i) for i, line in enumerate(sys.stdin.read().split('\\n'))]\n"
      "vs.sort(key=lambda pair: pair[0])\n"
      "last = None\n"
      "for v, i in vs:\n"
      "    print('=' if v == last else '<', i)\n"
      "    last = v\n",
      lines(texts));
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  std::vector<std::pair<Version, std::size_t>> sorted;
  for (std::size_t i = 0; i < texts.size(); ++i) sorted.emplace_back(Version::parse(texts[i]), i);
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string ours;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool is_same = i > 0 && sorted[i].first == sorted[i - 1].first;
    ours += (is_same ? "= " : "< ") + std::to_string(sorted[i].second) + "\n";
  }
  EXPECT_EQ(ours, answer.output);
}

TEST(Packaging, agrees_on_which_versions_a_specifier_takes) {
  std::vector<std::string> clauses;
  for (const char* operation : {"~=", "==", "!=", "<=", ">=", "<", ">", "===", "=", ""}) {
    for (const std::string& version : few_versions()) {
      clauses.push_back(operation + version);
      clauses.push_back(operation + (" " + version) + ".*");
    }
  }
  for (const char* set : {">=1.0,<2", ">1.0a1, !=1.0.post1,", "==1.*,!=1.1.*", "<1!0,>=1.0.dev0"}) {
    clauses.emplace_back(set);
  }
  const PythonAnswer answer = ask_python(
      "import sys\nfrom packaging.specifiers import SpecifierSet, InvalidSpecifier\n"
      "clauses, versions = (part.split('\\n') for part in sys.stdin.read().split('\\n\\n'))\n"
      "for clause in clauses:\n"
      "    try:\n        s = SpecifierSet(clause)\n"
      "    except InvalidSpecifier:\n        print('invalid')\n        continue\n"
      "    bits = [s.contains(v, prereleases=True) for v in versions]\n"
      "    bits += [s.contains(v, prereleases=bool(s.prereleases)) for v in versions]\n"
      "    print(''.join(str(int(bit)) for bit in bits))\n",
      lines(clauses) + "\n\n" + lines(few_versions()));
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  const std::vector<std::string_view> theirs = lines_of(answer.output);
  ASSERT_EQ(theirs.size(), clauses.size());
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const auto set = SpecifierSet::parse(clauses[i]);
    std::string ours;
    for (const PreReleases rule : {PreReleases::allow, PreReleases::only_if_named}) {
      for (const std::string& version : few_versions()) {
        ours += set && set->contains(Version::parse(version), rule) ? '1' : '0';
      }
    }
    EXPECT_EQ(set ? ours : "invalid", theirs[i]) << clauses[i];
  }
}

TEST(Packaging, agrees_on_requirements_and_markers) {
  std::vector<std::string> texts = {"a",
                                    "a[b , c]",
                                    "a[ ]>=1",
                                    "a (>=1,<2)",
                                    "a>=1,",
                                    "a>=1,,<2",
                                    "a @ http://x/y.zip",
                                    "a@http://x;extra",
                                    "a @ file:///x ; os_name=='posix'",
                                    "a ;",
                                    "a; os.name=='posix'",
                                    "-a",
                                    "a; (os_name=='posix')",
                                    "a; ((os_name=='nt') or os_name=='posix') and extra=='t'",
                                    "a b",
                                    "a[b",
                                    "a(",
                                    "a===x,y",
                                    "a ~=1.0",
                                    "a; 'linux' in sys_platform",
                                    "a; python_version not  in '3.11'",
                                    "a; python_version notin '3.11'",
                                    "a.b-c_d==1.*"};
  constexpr std::array variables = {"python_version",
                                    "python_full_version",
                                    "os_name",
                                    "sys_platform",
                                    "platform_machine",
                                    "platform_release",
                                    "platform_python_implementation",
                                    "implementation_version",
                                    "implementation_name",
                                    "platform_system"};
  constexpr std::array values = {"3.9",   "3.11",   "3.11.7",          "3.*", "posix",
                                 "linux", "x86_64", "CPython cpython", "",    "6.1.0-18-amd64"};
  for (const char* variable : variables) {
    for (const char* operation : {"==", "!=", "<", ">=", "~=", "===", " in ", " not in "}) {
      for (const char* value : values) {
        texts.push_back("a; " + std::string(variable) + operation + "'" + value + "'");
        texts.push_back("a; \"" + std::string(value) + "\"" + operation + variable);
      }
    }
  }
  const PythonAnswer answer = ask_python(
      "import sys\nfrom packaging.requirements import Requirement, InvalidRequirement\n"
      "from packaging.markers import UndefinedComparison\n"
      "env = dict(os_name='posix', sys_platform='linux', platform_machine='x86_64',\n"
      "    platform_python_implementation='CPython', platform_release='6.1.0-18-amd64',\n"
      "    platform_system='Linux', platform_version='', python_version='3.11',\n"
      "    python_full_version='3.11.7', implementation_name='cpython',\n"
      "    implementation_version='3.11.7', extra='t')\n"
      "def say(text):\n"
      "    try:\n        r = Requirement(text)\n"
      "    except InvalidRequirement:\n        return 'invalid'\n"
      "    try:\n        m = str(int(r.marker is None or r.marker.evaluate(env)))\n"
      "    except UndefinedComparison:\n        m = '?'\n"
      "    return '|'.join([r.name, ','.join(sorted(r.extras)), r.url or '', m,\n"
      "        str(len(r.specifier))])\n"
      "print('\\n'.join(say(line) for line in sys.stdin.read().split('\\n')))\n",
      lines(texts));
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  const std::vector<std::string_view> theirs = lines_of(answer.output);
  ASSERT_EQ(theirs.size(), texts.size());
  MarkerEnvironment environment = linux_environment("3.11.7", "x86_64");
  environment.platform_release = "6.1.0-18-amd64";
  environment.extras = {"t"};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto requirement = Requirement::parse(texts[i]);
    std::string ours = "invalid";
    if (requirement) {
      const auto value =
          requirement->marker ? requirement->marker->evaluate(environment) : std::optional(true);
      ours = requirement->name + "|" + join(requirement->extras, ",") + "|" +
             requirement->url.value_or("") + "|" +
             (!value   ? "?"
              : *value ? "1"
                       : "0") +
             "|" + std::to_string(requirement->versions.clauses().size());
    }
    EXPECT_EQ(ours, theirs[i]) << texts[i];
  }
}

TEST(Packaging, agrees_on_names_of_wheels) {
  const std::vector<std::string> texts = {"a-1.0-py3-none-any.whl",
                                          "A.b_c-1.0+cu128-7-cp311-abi3-linux_x86_64.whl",
                                          "a-1.0-1x-py2.py3-none-any.whl",
                                          "a-1.0-x1-py3-none-any.whl",
                                          "a__b-1-py3-none-any.whl",
                                          "a-1-py3-none-any",
                                          "a-1-py3-none-.whl",
                                          "a-1-py3.-none-any.whl",
                                          "a-b-c-d-e.whl"};
  const PythonAnswer answer = ask_python(
      "import sys\nfrom packaging.utils import parse_wheel_filename, InvalidWheelFilename\n"
      "def say(text):\n"
      "    try:\n        n, v, b, t = parse_wheel_filename(text)\n"
      "    except InvalidWheelFilename:\n        return 'invalid'\n"
      "    return f'{n} {v} {b[0] if b else 0}{b[1] if b else \"\"} {len(t)}'\n"
      "print('\\n'.join(say(line) for line in sys.stdin.read().split('\\n')))\n",
      lines(texts));
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  std::string ours;
  for (const std::string& text : texts) {
    const auto wheel = read_wheel_name(text);
    if (!wheel) {
      ours += "invalid\n";
      continue;
    }
    const BuildTag build = wheel->build.value_or(BuildTag());
    ours += normalized_name(wheel->name) + " " + Version::parse(wheel->version).normalized() + " " +
            std::to_string(build.number) + std::string(build.text) + " " +
            std::to_string(wheel->tags.interpreters.size() * wheel->tags.abis.size() *
                           wheel->tags.platforms.size()) +
            "\n";
  }
  EXPECT_EQ(ours, answer.output);
}

/// Asks about all tags that the machine's Python supports and about their neighbours.
TEST(Packaging, agrees_on_which_tags_fit_the_machines_python) {
  const PythonAnswer answer = ask_python(
      "import platform, sys\nfrom packaging.tags import sys_tags, Tag\n"
      "from packaging._manylinux import _get_glibc_version as glibc\n"
      "if sys.implementation.name != 'cpython' or glibc() == (-1, -1) or sys.maxsize < 2**32:\n"
      "    raise ModuleNotFoundError('python3 is no 64-bit CPython on glibc')\n"
      "print(sys.version_info[1], sys.abiflags or '-', platform.machine(), *glibc())\n"
      "ok = set(sys_tags())\n"
      "ps = {t.platform for t in ok} | {'win_amd64', 'manylinux_2_99_x86_64', "
      "'musllinux_1_2_x86_64',\n"
      "    'linux_sparc', 'manylinux2014_s390x'}\n"
      "for i in {t.interpreter for t in ok} | {'py2', 'py4', 'cp27', 'cp399', 'pp311', 'cp3', "
      "'x'}:\n"
      "    for a in {t.abi for t in ok} | {'cp27', 'cp311d', 'pypy311_pp73', 'abi4'}:\n"
      "        for p in ps:\n"
      "            print(i + '-' + a + '-' + p, int(Tag(i, a, p) in ok))\n",
      "");
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  const std::vector<std::string_view> rows = lines_of(answer.output);
  const std::vector<std::string_view> facts = split(rows[0], ' ');
  ASSERT_EQ(facts.size(), 5);
  const TagTarget target{.python = {.minor = static_cast<unsigned>(*parse_decimal(facts[0])),
                                    .abi_flags = facts[1] == "-" ? "" : facts[1]},
                         .machine = facts[2],
                         .libc = LibcKind::glibc,
                         .libc_major = static_cast<unsigned>(*parse_decimal(facts[3])),
                         .libc_minor = static_cast<unsigned>(*parse_decimal(facts[4]))};
  ASSERT_GT(rows.size(), 1000);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string_view> words = split(rows[i], ' ');
    EXPECT_EQ(is_compatible(*find_tag_set(words[0]), target), words[1] == "1") << words[0];
  }
}

}  // namespace
}  // namespace whyso::python
