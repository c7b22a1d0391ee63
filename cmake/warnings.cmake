# SPDX-License-Identifier: Apache-2.0
# What every file of every build is compiled with. -Werror belongs to the presets.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                    -Woverloaded-virtual
                    # Designated initialisers name what matters; the rest has its default.
                    -Wno-missing-field-initializers -ffunction-sections -fdata-sections
                    # GCC 12 sees overlaps in std::string::insert that are not there (its bug 105651).
                    -Wno-restrict)
add_compile_definitions(_GLIBCXX_ASSERTIONS)
add_link_options(-Wl,--gc-sections)
if(WHYSO_STATIC)
  add_link_options(-static)
endif()
