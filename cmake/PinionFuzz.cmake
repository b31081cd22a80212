# pinion_fuzz(NAME SOURCE file [DEPENDS ...] [CORPUS folder])
#
# A fuzz target: SOURCE defines LLVMFuzzerTestOneInput (libFuzzer's interface) and returns 0 for every input; a crash, a
# sanitizer report or an escaping exception is the finding. It is built in two ways:
#   normally            test `fuzz-NAME` runs it over CORPUS and over seeded mutations of it, in a second or two
#   -DPINION_FUZZ=ON    (clang; preset fuzz) bin/fuzz-NAME is a libFuzzer program, run by `make fuzz`
option(PINION_FUZZ "build fuzz targets as libFuzzer programs (clang)" OFF)
if(PINION_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

function(pinion_fuzz name)
  cmake_parse_arguments(arg "" "SOURCE;CORPUS" "DEPENDS;LINK" ${ARGN})
  if(NOT PINION_TESTS)
    return()
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND "pinion::")
  set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS}")
  add_executable(fuzz-${name} ${arg_SOURCE})
  target_link_libraries(fuzz-${name} PRIVATE ${arg_DEPENDS} ${arg_LINK} pinion-warnings)
  if(PINION_FUZZ)
    target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
    file(WRITE "${PROJECT_BINARY_DIR}/fuzz/${name}.corpus" "${corpus}\n")
  else()
    target_sources(fuzz-${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/fuzz_replay.cpp")
    add_test(NAME fuzz-${name} COMMAND fuzz-${name} "${corpus}")
    set_tests_properties(fuzz-${name} PROPERTIES TIMEOUT 300 LABELS fuzz)
  endif()
endfunction()
