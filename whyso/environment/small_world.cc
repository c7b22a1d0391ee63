// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/small_world.h"

namespace whyso::environment {

Path path_of(std::string_view text) { return Path::parse(text).value(); }

void add_python(tree::MemoryTree& tree, const std::string& prefix) {
  tree.add_file(prefix + "/bin/python3.11", "ELF", 0755);
  tree.add_link(prefix + "/bin/python3", "python3.11");
  tree.add_file(prefix + "/include/python3.11/patchlevel.h", "#define PY_VERSION \"3.11.7\"\n");
  tree.add_file(prefix + "/lib/python3.11/os.py", "");
  tree.add_file(prefix + "/lib/python3.11/lib-dynload/_ctypes.cpython-311-x86_64-linux-gnu.so",
                "ELF");
  tree.add_folder(prefix + "/lib/python3.11/site-packages");
}

void add_venv(tree::MemoryTree& tree, const std::string& prefix, const std::string& base,
              std::string_view more_settings) {
  tree.add_file(prefix + "/pyvenv.cfg",
                "home = " + base + "/bin\nversion = 3.11.7\n" + std::string(more_settings));
  tree.add_link(prefix + "/bin/python", base + "/bin/python3");
  tree.add_folder(prefix + "/lib/python3.11/site-packages");
  tree.add_link(prefix + "/lib64", "lib");
}

void add_distribution(tree::MemoryTree& tree, const std::string& site,
                      const SmallDistribution& distribution) {
  const std::string name = distribution.name + "-" + distribution.version + ".dist-info";
  const std::string folder = site + "/" + name;
  tree.add_file(folder + "/METADATA", "Metadata-Version: 2.1\nName: " + distribution.name +
                                          "\nVersion: " + distribution.version + "\n");
  tree.add_file(folder + "/INSTALLER", distribution.installer + "\n");
  tree.add_file(folder + "/RECORD", name + "/METADATA,,\n" + name + "/INSTALLER,,\n" + name +
                                        "/RECORD,,\n" + distribution.record);
}

Environment read_at(const tree::FileTree& tree, std::string_view prefix,
                    const ProcessVariables& variables) {
  return read_environment(tree, {.prefix = path_of(prefix)}, variables);
}

}  // namespace whyso::environment
