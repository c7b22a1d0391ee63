// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/text.h"

#include <gtest/gtest.h>

#include "whyso/base/text.h"
#include "whyso/report/answer_text.h"

namespace whyso::report {
namespace {

using check::Category;
using check::Finding;
using check::Report;
using check::Severity;

const RuleNames names = {{"SO102", "gutted-package"}, {"SO305", "duplicate-runtime"}};

Finding gutted() {
  return {
      .code = "SO102",
      .message = "2 libraries that `import torch` loads are gone",
      .subjects = {{.package = "nvidia-nccl-cu12",
                    .version = "2.27.5",
                    .soname = "libnccl.so.2",
                    .path = "nvidia/nccl/lib/libnccl.so.2",
                    .needed_by = {"torch/lib/libtorch_cuda.so"}}},
      .exhibit = {.header = {"needed by", "library", "listed by pip as", "on disk"},
                  .rows = {{"torch/lib/libtorch_cuda.so", "libcudnn.so.9",
                            "nvidia-cudnn-cu12 9.10.2.21", "0 of 8 libraries"},
                           {"torch/lib/libtorch_cuda.so", "libnccl.so.2", "nvidia-nccl-cu12 2.27.5",
                            "0 of 1"}}},
      .because = {{.text = "their metadata is intact, their files are not: pip still calls them "
                           "installed",
                   .evidence = {{.kind = "RECORD", .file = "/env/RECORD", .detail = "line 3"}}},
                  {.text = "others used the same paths; removing those removed these",
                   .confidence = check::Confidence::likely,
                   .reason = "empty folders are left"}},
      .breaks = {{.kind = "import", .name = "torch"}, {.kind = "first-use", .name = "vllm serve"}},
      .fixes = {{.id = "reinstall",
                 .commands = {{"uv", "pip", "install", "--reinstall", "--no-deps",
                               "nvidia-cudnn-cu12==9.10.2.21", "nvidia-nccl-cu12==2.27.5"}},
                 .summary = "puts back 9 libraries, changes nothing else"}},
      .remarks = {"Python names only the first one; there are 2"}};
}

Report broken() {
  return {.target = ".venv",
          .target_path = "/home/me/.venv",
          .chosen_by = "VIRTUAL_ENV",
          .python = "CPython 3.12.8",
          .packages = 204,
          .objects = 1902,
          .categories = {{"files", Category::State::error, "2 packages lost their files"},
                         {"ownership", Category::State::sound, "no file is claimed twice"}},
          .findings = {gutted(),
                       {.code = "SO305",
                        .severity = Severity::note,
                        .message = "libgomp is loaded in 2 copies"}}};
}

TEST(Text, a_broken_environment_reads_as_designed_at_120_columns) {
  EXPECT_EQ(
      check_text(broken(), names, {.width = 120}, 0.84),
      R"(.venv  CPython 3.12.8 · 204 packages · 1,902 native objects · read in 0.8 s   (VIRTUAL_ENV)

1 error, 1 note (-v to see)

error[SO102] gutted-package: 2 libraries that `import torch` loads are gone
  needed by                   library        listed by pip as             on disk
  torch/lib/libtorch_cuda.so  libcudnn.so.9  nvidia-cudnn-cu12 9.10.2.21  0 of 8 libraries
  torch/lib/libtorch_cuda.so  libnccl.so.2   nvidia-nccl-cu12 2.27.5      0 of 1
  because  their metadata is intact, their files are not: pip still calls them installed
  because  others used the same paths; removing those removed these (likely: empty folders are left)
  breaks   import torch, vllm serve
           Python names only the first one; there are 2
  see      whyso rule SO102
  fix      puts back 9 libraries, changes nothing else (safe)
           uv pip install --reinstall --no-deps nvidia-cudnn-cu12==9.10.2.21 nvidia-nccl-cu12==2.27.5
)");
}

TEST(Text, a_broken_environment_reads_as_designed_at_80_columns) {
  EXPECT_EQ(check_text(broken(), names, {.width = 80}),
            R"(.venv  CPython 3.12.8 · 204 packages · 1,902 native objects   (VIRTUAL_ENV)

1 error, 1 note (-v to see)

error[SO102] gutted-package: 2 libraries that `import torch` loads are gone
  needed by                   library        listed by pip as
    on disk
  torch/lib/libtorch_cuda.so  libcudnn.so.9  nvidia-cudnn-cu12 9.10.2.21
    0 of 8 libraries
  torch/lib/libtorch_cuda.so  libnccl.so.2   nvidia-nccl-cu12 2.27.5
    0 of 1
  because  their metadata is intact, their files are not: pip still calls them
           installed
  because  others used the same paths; removing those removed these (likely:
           empty folders are left)
  breaks   import torch, vllm serve
           Python names only the first one; there are 2
  see      whyso rule SO102
  fix      puts back 9 libraries, changes nothing else (safe)
           uv pip install --reinstall --no-deps nvidia-cudnn-cu12==9.10.2.21 \
             nvidia-nccl-cu12==2.27.5
)");
}

TEST(Text, what_follows_a_long_target_begins_at_the_indent) {
  Report report = broken();
  report.target = "/srv/environments/of-the-training-team/2026-12";
  const std::string text = check_text(report, names, {.width = 80});
  EXPECT_TRUE(text.starts_with(report.target + "  CPython 3.12.8 · 204 packages ·\n"
                                               "  1,902 native objects   (VIRTUAL_ENV)\n"))
      << text;
}

TEST(Text, no_line_is_longer_than_the_width_unless_a_word_is) {
  for (const std::size_t width : {60U, 72U, 80U, 100U}) {
    const std::string text = check_text(broken(), names, {.width = width, .verbosity = 1}, 0.84);
    for (const auto line : lines_of(text)) EXPECT_LE(columns(line), width) << line;
  }
}

TEST(Text, evidence_notes_and_categories_stand_only_with_v) {
  const std::string plain = check_text(broken(), names, {.width = 80});
  const std::string verbose = check_text(broken(), names, {.width = 80, .verbosity = 1});
  EXPECT_EQ(plain.find("RECORD"), std::string::npos);
  EXPECT_EQ(plain.find("ownership"), std::string::npos);
  EXPECT_NE(verbose.find("evidence  RECORD /env/RECORD, line 3"), std::string::npos);
  EXPECT_NE(verbose.find("note[SO305] duplicate-runtime: libgomp"), std::string::npos);
  EXPECT_NE(verbose.find("[✗] files      2 packages lost their files"), std::string::npos);
  EXPECT_NE(verbose.find("needed by torch/lib/libtorch_cuda.so"), std::string::npos);
}

TEST(Text, notes_of_a_sound_environment_are_one_folded_line) {
  Report report = broken();
  report.findings.erase(report.findings.begin());
  const std::string text = check_text(report, names, {.width = 80});
  EXPECT_NE(text.find("  [·] notes      1: libgomp is loaded in 2 copies (SO305); -v to see\n"),
            std::string::npos)
      << text;
}

TEST(Text, a_sound_environment_is_called_sound) {
  Report report = broken();
  report.findings.clear();
  const std::string text = check_text(report, names, {.width = 80});
  EXPECT_TRUE(text.ends_with("\n\nsound\n")) << text;
}

TEST(Text, what_could_not_be_read_is_never_called_sound) {
  Report report = broken();
  report.findings.clear();
  report.unreadable = {{ErrorKind::not_permitted, "/env/lib", "permission denied"}};
  const std::string text = check_text(report, names, {.width = 80});
  EXPECT_NE(text.find("coverage  incomplete: 1 place could not be looked at\n"
                      "          /env/lib: permission denied\n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("\nincomplete\n")) << text;
}

TEST(Text, quiet_is_one_line_an_error_and_nothing_when_sound) {
  EXPECT_EQ(quiet_text(broken(), names, {}),
            "error[SO102] gutted-package: 2 libraries that `import torch` loads are gone\n");
  EXPECT_EQ(quiet_text({}, names, {}), "");
}

TEST(Text, concise_names_the_target_on_each_line) {
  EXPECT_EQ(concise_text(broken(), names, {}),
            ".venv: error[SO102] gutted-package: 2 libraries that `import torch` loads are gone\n");
}

TEST(Text, colours_change_no_letter) {
  std::string coloured = check_text(broken(), names, {.colour = true, .width = 80});
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos;
       at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  EXPECT_EQ(coloured, check_text(broken(), names, {.width = 80}));
}

TEST(Text, why_shows_each_step_of_the_search) {
  const check::Why why = {
      .query = "libcudnn.so.9",
      .loads = {{.name = "libcudnn.so.9",
                 .path = "/usr/lib64/libcudnn.so.9",
                 .real_path = "/usr/lib64/libcudnn.so.9.8.0",
                 .owner = {.listed_by = {"deb libcudnn9 9.8.0"}, .content_state = "as recorded"},
                 .asked_for_by = {"torch/lib/libtorch_cuda.so (torch 2.9.1), DT_NEEDED"},
                 .process = "import torch",
                 .steps = {{.name = "already loaded under that name", .summary = "no"},
                           {.name = "DT_RPATH of libtorch_cuda.so",
                            .summary = "1 directory",
                            .tried = {{"/env/nvidia/cudnn/lib/libcudnn.so.9", "no such file"}}},
                           {.name = "loader cache",
                            .summary = "found",
                            .tried = {{"/usr/lib64/libcudnn.so.9", "taken", true}},
                            .decided = true}},
                 .others = {{.path = "/opt/libcudnn.so.9",
                             .owner = {.listed_by = {"nvidia-cudnn-cu12 9.10.2.21"}},
                             .why_not = "no search path names its folder"}}}}};
  EXPECT_EQ(why_text(why, {.width = 80}), R"(libcudnn.so.9 → /usr/lib64/libcudnn.so.9

  really         /usr/lib64/libcudnn.so.9.8.0
  belongs to     deb libcudnn9 9.8.0, content as recorded
  asked for by   torch/lib/libtorch_cuda.so (torch 2.9.1), DT_NEEDED
  in             import torch
  the loader looked
    0  already loaded under that name  no
    1  DT_RPATH of libtorch_cuda.so    1 directory
         ✗ /env/nvidia/cudnn/lib/libcudnn.so.9: no such file
    2  loader cache                    found
         ✓ /usr/lib64/libcudnn.so.9: taken
  you also have  /opt/libcudnn.so.9
                 nvidia-cudnn-cu12 9.10.2.21
                 not taken: no search path names its folder
)");
}

TEST(Text, knowledge_is_called_knowledge) {
  const check::Provides provides = {.query = "libGL.so.1",
                                    .providers = {{.soname = "libGL.so.1",
                                                   .provider = "deb libgl1",
                                                   .source = "Debian 12, 2026-12",
                                                   .is_knowledge = true}}};
  EXPECT_EQ(provides_text(provides, {.width = 80}),
            R"(Nothing here provides libGL.so.1.
Known to provide it (from the table built in, not seen here):
  provider    library     source
  deb libgl1  libGL.so.1  Debian 12, 2026-12
)");
}

}  // namespace
}  // namespace whyso::report
