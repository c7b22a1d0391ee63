// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/load.h"

#include <gtest/gtest.h>

#include "whyso/loader/world_test.h"

namespace whyso::loader {
namespace {

using Start = WorldTest;
using Open = WorldTest;
using Missing = WorldTest;
using Search = WorldTest;
using Preload = WorldTest;
using Filtees = WorldTest;

constexpr std::string_view not_found = "cannot open shared object file: No such file or directory";

TEST_F(Start, dependencies_come_breadth_first_each_once) {
  add("/app/prog", {.needed = {"liba.so", "libb.so"}});
  add("/lib/liba.so", {.needed = {"libc.so"}});
  add("/lib/libb.so", {.needed = {"libc.so", "libd.so"}});
  add("/lib/libc.so", {.needed = {"liba.so"}});
  add("/usr/lib/libd.so", {});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(loaded(), (Texts{"/lib/liba.so", "/lib/libb.so", "/lib/libc.so", "/usr/lib/libd.so"}));
}

TEST_F(Start, the_loader_is_listed_behind_its_predecessor_only_where_it_is_needed) {
  add("/app/prog", {.needed = {"liba.so", "libb.so"}});
  add("/lib/liba.so", {.needed = {"ld.so.2"}});
  add("/lib/libb.so", {});
  EXPECT_FALSE(start().error);
  Texts kinds;
  for (const Id<Object> id : process->order()) {
    kinds.push_back(loader->files().text(process->objects()[id].path));
  }
  EXPECT_EQ(kinds, (Texts{"", "linux-vdso.so.1", "/lib/liba.so", "/lib/libb.so", "/lib64/ld.so"}));
  add("/lib/liba.so", {});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(process->order().size(), 4U);
}

// Seen with glibc 2.36.
TEST_F(Start, a_needed_vdso_behind_the_loader_breaks_an_assertion) {
  add("/app/prog", {.needed = {"liba.so"}});
  add("/lib/liba.so", {.needed = {"ld.so.2", "linux-vdso.so.1"}});
  EXPECT_TRUE(text(start().error, Speaker::program_start).contains("dl_main: Assertion"));
  add("/lib/liba.so", {.needed = {"linux-vdso.so.1"}});
  EXPECT_FALSE(start().error);
}

TEST_F(Start, the_first_missing_name_stops_it_and_the_requirer_is_not_told) {
  add("/app/prog", {.needed = {"liba.so", "libgone.so", "libb.so"}});
  add("/lib/liba.so", {});
  const auto outcome = start();
  EXPECT_EQ(text(outcome.error, Speaker::program_start), "libgone.so: " + std::string(not_found));
  EXPECT_EQ(loaded(), (Texts{"/lib/liba.so"}));
}

TEST_F(Start, origin_of_the_program_is_where_the_file_really_is) {
  tree.add_link("/app/prog", "/real/bin/prog");
  add("/real/bin/prog", {.needed = {"liba.so"}, .runpath = "$ORIGIN/../lib"});
  add("/real/lib/liba.so", {});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(loaded(), (Texts{"/real/bin/../lib/liba.so"}));
  context.has_proc = false;
  EXPECT_TRUE(start().error);
}

TEST_F(Search, rpath_comes_before_the_variable_and_runpath_behind_it) {
  for (const char* folder : {"/r/liba.so", "/v/liba.so"}) add(folder, {});
  context.library_path = "/v";
  add("/app/prog", {.needed = {"liba.so"}, .rpath = "/r"});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(loaded(), (Texts{"/r/liba.so"}));
  add("/app/prog", {.needed = {"liba.so"}, .runpath = "/r"});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(loaded(), (Texts{"/v/liba.so"}));
}

TEST_F(Search, run_path_is_ignored_for_dependencies_of_dependencies) {
  add("/app/prog", {.needed = {"liba.so"}, .runpath = "/p"});
  add("/p/liba.so", {.needed = {"libb.so"}});
  add("/p/libb.so", {});
  EXPECT_EQ(text(start().error, Speaker::program_start), "libb.so: " + std::string(not_found));
}

TEST_F(Search, rpath_is_inherited_unless_the_requirer_has_a_runpath_of_its_own) {
  add("/app/prog", {.needed = {"liba.so"}, .rpath = "/p"});
  add("/p/liba.so", {.needed = {"libb.so"}});
  add("/p/libb.so", {});
  EXPECT_FALSE(start().error);
  add("/p/liba.so", {.needed = {"libb.so"}, .runpath = ""});
  EXPECT_TRUE(start().error);
}

TEST_F(Search, both_tags_in_one_object_are_as_if_it_had_no_rpath) {
  add("/app/prog", {.needed = {"liba.so"}, .rpath = "/p", .runpath = "/q"});
  add("/p/liba.so", {});
  EXPECT_TRUE(start().error);
}

TEST_F(Search, nodeflib_leaves_no_step_and_so_no_errno) {
  add("/app/prog", {.needed = {"liba.so"}, .flags_1 = 0x800});
  add("/lib/liba.so", {});
  EXPECT_EQ(text(start().error, Speaker::program_start), "liba.so: cannot open shared object file");
}

// Seen with glibc 2.36: nothing is tried, so errno is that of the search before, or of access(2) on
// /etc/ld.so.preload at the start.
TEST_F(Search, a_dlopen_without_any_step_ends_with_the_errno_of_what_failed_last) {
  rules.preload_path = "/etc/ld.so.preload";
  add("/app/prog", {.flags_1 = 0x800});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(text(open("libz.so").error, Speaker::dlopen), "libz.so: " + std::string(not_found));
  tree.add_file("/etc/ld.so.preload", "");
  EXPECT_FALSE(start().error);
  EXPECT_EQ(text(open("libz.so").error, Speaker::dlopen),
            "libz.so: cannot open shared object file");
  EXPECT_TRUE(open("/app").error);
  EXPECT_EQ(text(open("libz.so").error, Speaker::dlopen),
            "libz.so: cannot open shared object file: Is a directory");
}

TEST_F(Search, a_cache_that_cannot_be_opened_leaves_its_errno_once) {
  rules.cache_error = ENOENT;
  add("/app/prog", {.needed = {"liba.so"}, .flags_1 = 0x800});
  EXPECT_EQ(text(start().error, Speaker::program_start), "liba.so: " + std::string(not_found));
  tree.add_file("/etc/ld.so.preload", "");
  add("/app/prog", {.flags_1 = 0x800});
  add("/x/liba.so", {.needed = {"libb.so"}, .flags_1 = 0x800});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(text(open("/x/liba.so").error, Speaker::dlopen), "libb.so: " + std::string(not_found));
  EXPECT_EQ(text(open("/x/liba.so").error, Speaker::dlopen),
            "libb.so: cannot open shared object file");
}

TEST_F(Search, other_class_and_machine_are_passed_over_and_other_bad_files_stop_it) {
  add("/app/prog", {.needed = {"liba.so"}, .runpath = "/x:/y:/z"});
  add("/x/liba.so", {.elf_class = 1});
  add("/y/liba.so", {.machine = 183});
  EXPECT_EQ(text(start().error, Speaker::program_start), "liba.so: wrong ELF class: ELFCLASS32");
  add("/z/liba.so", {});
  EXPECT_FALSE(start().error);
  tree.add_file("/y/liba.so", std::string(100, '#'));
  EXPECT_EQ(text(start().error, Speaker::program_start), "/y/liba.so: invalid ELF header");
}

TEST_F(Search, a_loop_of_links_ends_its_list_but_not_the_next_step) {
  context.library_path = "/v:/w";
  tree.add_link("/v/liba.so", "liba.so");
  add("/w/liba.so", {});
  add("/app/prog", {.needed = {"liba.so"}, .runpath = "/r"});
  EXPECT_TRUE(start().error);
  add("/r/liba.so", {});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(loaded(), (Texts{"/r/liba.so"}));
}

TEST_F(Search, subdirectories_are_tried_before_each_directory) {
  rules.subdirectories = {"glibc-hwcaps/x86-64-v3/", ""};
  add("/app/prog", {.needed = {"liba.so"}, .runpath = "/x:/y"});
  add("/x/liba.so", {});
  add("/y/glibc-hwcaps/x86-64-v3/liba.so", {});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(loaded(), (Texts{"/x/liba.so"}));
  add("/x/glibc-hwcaps/x86-64-v3/liba.so", {});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(loaded(), (Texts{"/x/glibc-hwcaps/x86-64-v3/liba.so"}));
}

TEST_F(Open, a_name_that_is_loaded_is_matched_without_a_search) {
  add("/app/prog", {});
  add("/a/libf.so", {.soname = "libf.so"});
  add("/lib/libf.so", {.soname = "libf.so"});
  add("/x/libg.so", {.needed = {"libf.so"}});
  EXPECT_FALSE(start().error);
  EXPECT_FALSE(open("/a/libf.so").error);
  EXPECT_FALSE(open("/x/libg.so").error);
  EXPECT_EQ(loaded(), (Texts{"/a/libf.so", "/x/libg.so"}));
  EXPECT_EQ(process->requests().back().ending, Ending::matched_name);
}

TEST_F(Open, a_path_never_matches_a_soname_but_an_inode_is_one_object) {
  add("/app/prog", {});
  add("/a/libf.so", {.soname = "libf.so"});
  add("/b/libf.so", {.soname = "libf.so"});
  tree.add_link("/c/libf.so", "/a/libf.so");
  EXPECT_FALSE(start().error);
  EXPECT_EQ(open("/a/libf.so").mapped.size(), 1U);
  EXPECT_EQ(open("/b/libf.so").mapped.size(), 1U);
  EXPECT_EQ(open("/c/libf.so").mapped.size(), 0U);
  EXPECT_EQ(process->requests().back().ending, Ending::matched_file);
  EXPECT_EQ(open("libf.so").root->index, 3U);
}

TEST_F(Open, the_rpath_of_the_program_counts_for_dependencies_and_its_runpath_does_not) {
  add("/x/libg.so", {.needed = {"libf.so"}});
  add("/p/libf.so", {});
  add("/app/prog", {.rpath = "/p"});
  EXPECT_FALSE(start().error);
  EXPECT_FALSE(open("/x/libg.so").error);
  add("/app/prog", {.runpath = "/p"});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(text(open("/x/libg.so").error, Speaker::dlopen), "libf.so: " + std::string(not_found));
  EXPECT_FALSE(open("libf.so").error);
}

TEST_F(Open, a_failed_one_takes_away_what_it_brought) {
  add("/app/prog", {});
  add("/x/liba.so", {.needed = {"libb.so", "libgone.so"}});
  add("/lib/libb.so", {.soname = "libb.so"});
  EXPECT_FALSE(start().error);
  const auto outcome = open("/x/liba.so");
  EXPECT_TRUE(outcome.error);
  EXPECT_EQ(outcome.mapped.size(), 2U);
  EXPECT_EQ(loaded(), Texts{});
  EXPECT_FALSE(process->find(loader->files().names().intern("libb.so")));
  EXPECT_FALSE(open("libb.so").error);
  EXPECT_EQ(loaded(), (Texts{"/lib/libb.so"}));
}

TEST_F(Open, copies_of_a_process_know_nothing_of_each_other) {
  add("/app/prog", {});
  add("/x/liba.so", {});
  EXPECT_FALSE(start().error);
  Process other = *process;
  EXPECT_FALSE(other.open({.name = "/x/liba.so"}).error);
  EXPECT_EQ(loaded(), Texts{});
  EXPECT_EQ(other.order().size(), 3U);
}

TEST_F(Open, noload_of_what_is_not_loaded_is_neither_an_object_nor_an_error) {
  add("/app/prog", {});
  add("/x/liba.so", {});
  EXPECT_FALSE(start().error);
  const auto outcome =
      process->open({.name = "/x/liba.so", .flags = {.now = true, .no_load = true}});
  EXPECT_FALSE(outcome.error);
  EXPECT_FALSE(outcome.root);
}

TEST_F(Open, programs_and_noopen_are_refused_under_the_name_that_was_asked_for) {
  add("/app/prog", {});
  add("/lib/libp.so", {.flags_1 = 0x08000000});
  add("/lib/libe.so", {.type = 2});
  add("/lib/libn.so", {.flags_1 = 0x40});
  add("/lib/libd.so", {.has_dynamic = false});
  EXPECT_FALSE(start().error);
  const auto said = [&](const char* name) { return text(open(name).error, Speaker::dlopen); };
  EXPECT_EQ(said("libp.so"), "libp.so: cannot dynamically load position-independent executable");
  EXPECT_EQ(said("libe.so"), "libe.so: cannot dynamically load executable");
  EXPECT_EQ(said("libn.so"), "libn.so: shared object cannot be dlopen()ed");
  EXPECT_EQ(said("libd.so"), "libd.so: object file has no dynamic section");
}

TEST_F(Open, a_folder_of_that_name_is_told_in_the_words_of_who_prints_it) {
  add("/app/prog", {});
  tree.add_folder("/x/liba.so");
  EXPECT_FALSE(start().error);
  const auto outcome = open("/x/liba.so");
  EXPECT_EQ(text(outcome.error, Speaker::dlopen),
            "/x/liba.so: cannot read file data: Is a directory");
  EXPECT_EQ(text(outcome.error, Speaker::program_start),
            "/x/liba.so: cannot read file data: Error 21");
}

TEST_F(Missing, going_on_tells_all_of_them_with_who_needs_them) {
  context.failure = Failure::go_on;
  add("/app/prog", {});
  add("/x/liba.so", {.needed = {"libp.so", "libb.so", "libq.so"}});
  add("/lib/libb.so", {.needed = {"libr.so"}});
  EXPECT_FALSE(start().error);
  const auto outcome = open("/x/liba.so");
  EXPECT_EQ(text(outcome.error, Speaker::dlopen), "libp.so: " + std::string(not_found));
  Texts told;
  for (const std::size_t index : outcome.failed) {
    const Request& request = process->requests()[index];
    told.push_back(loader->files().text(request.name) + " for " +
                   loader->files().text(process->objects()[*request.by].path));
  }
  EXPECT_EQ(told, (Texts{"libp.so for /x/liba.so", "libq.so for /x/liba.so",
                         "libr.so for /lib/libb.so"}));
}

TEST_F(Preload, comes_before_dependencies_and_a_missing_one_is_a_warning) {
  context.preload = "libp.so:/nowhere.so";
  add("/app/prog", {.needed = {"liba.so"}});
  add("/lib/liba.so", {});
  add("/lib/libp.so", {});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(loaded(), (Texts{"/lib/libp.so", "/lib/liba.so"}));
  EXPECT_EQ(process->warnings(),
            (Texts{"ERROR: ld.so: object '/nowhere.so' from LD_PRELOAD cannot be preloaded "
                   "(cannot open shared object file): ignored."}));
}

TEST_F(Filtees, go_before_their_filter_and_only_a_filter_must_be_found) {
  add("/app/prog", {.needed = {"liba.so"}});
  add("/lib/liba.so", {.auxiliary = "libreal.so"});
  EXPECT_FALSE(start().error);
  add("/lib/libreal.so", {});
  EXPECT_FALSE(start().error);
  EXPECT_EQ(loaded(), (Texts{"/lib/libreal.so", "/lib/liba.so"}));
  add("/lib/liba.so", {.filter = "libgone.so"});
  EXPECT_EQ(text(start().error, Speaker::program_start), "libgone.so: " + std::string(not_found));
}

// Seen with glibc 2.36: whose versions are checked is the first in order that was asked for.
TEST_F(Filtees, that_answer_by_their_soname_stand_before_who_was_asked_for) {
  Names names;
  ObjectList objects;
  const NameId name = names.intern("liba.so");
  const auto add = [&](const char* path, NameId requested, std::optional<NameId> soname) {
    return objects.add({.path = names.intern(path), .requested = requested}, soname, false);
  };
  const Id<Object> asked = add("/x/liba.so", name, std::nullopt);
  const Id<Object> filtee = add("/x/libb.so", names.intern("libb.so"), name);
  objects.move_before(filtee, asked);
  ASSERT_EQ(objects.find(name), filtee);
  EXPECT_EQ(objects.find_asked_for(name), asked);
  objects.note_asked_for(filtee, name);
  EXPECT_EQ(objects.find_asked_for(name), filtee);
}

// Seen with glibc 2.36: ld.so moves each before the other until its stack has run out.
TEST_F(Filtees, of_each_other_kill_the_process) {
  add("/app/prog", {.needed = {"liba.so", "libb.so"}});
  add("/lib/liba.so", {.auxiliary = "libb.so"});
  add("/lib/libb.so", {.filter = "liba.so"});
  const auto outcome = start();
  ASSERT_TRUE(outcome.error);
  EXPECT_TRUE(outcome.error->is_crash && outcome.error->is_overflow);
  add("/lib/libb.so", {.filter = "libb.so"});
  EXPECT_FALSE(start().error);
}

TEST_F(Search, a_library_cut_before_its_dynamic_section_kills_the_process) {
  add("/app/prog", {.needed = {"liba.so"}});
  std::string bytes = MadeElf{}.bytes();
  bytes.resize(64 + 3 * 56);
  tree.add_file("/lib/liba.so", bytes);
  const auto outcome = start();
  ASSERT_TRUE(outcome.error);
  EXPECT_TRUE(outcome.error->is_crash);
}

}  // namespace
}  // namespace whyso::loader
