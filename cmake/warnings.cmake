# SPDX-License-Identifier: Apache-2.0
# What every file of every build is compiled with. -Werror belongs to the presets.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                    -Woverloaded-virtual
                    # Designated initialisers name what matters; the rest has its default.
                    -Wno-missing-field-initializers -ffunction-sections -fdata-sections
                    # False alarms of GCC 12 at -O2: overlaps in std::string::insert (its bug 105651),
                    # and parts of a moved std::variant that hold nothing.
                    -Wno-restrict -Wno-maybe-uninitialized)
add_compile_definitions(_GLIBCXX_ASSERTIONS)
add_link_options(-Wl,--gc-sections)
if(WHYSO_STATIC)
  add_link_options(-static)
endif()
