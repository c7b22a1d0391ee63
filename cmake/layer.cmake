# SPDX-License-Identifier: Apache-2.0
# whyso_layer(NAME HEADERS ... SOURCES ... [TESTS ...] [LAYERS ...] [LIBRARIES ...])
#   One static library whyso_NAME from explicit lists, and, where tests are built, one program
#   NAME_tests from its unit tests. LAYERS: the layers that it uses. LIBRARIES: what else it links.
function(whyso_layer name)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES;TESTS;LAYERS;LIBRARIES" ${ARGN})
  list(TRANSFORM ARG_LAYERS PREPEND whyso_)
  add_library(whyso_${name} STATIC ${ARG_SOURCES})
  target_sources(whyso_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
                                      FILES ${ARG_HEADERS})
  target_include_directories(whyso_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(whyso_${name} PUBLIC ${ARG_LAYERS} ${ARG_LIBRARIES})
  if(WHYSO_TESTS AND ARG_TESTS)
    add_executable(${name}_tests ${ARG_TESTS})
    target_link_libraries(${name}_tests PRIVATE whyso_${name} GTest::gtest_main)
    gtest_discover_tests(${name}_tests TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS unit)
  endif()
endfunction()
