# pinion_library(NAME FOLDER <include name> [SOURCES ...] [DEPENDS ...] [LINK ...])
#
# One folder is one library. A library can include only its own headers and those of the libraries it lists in
# DEPENDS: each folder is reached through a private include root that holds one link, build/include/<target>/<prefix>,
# so an upward include does not compile.
#   NAME      target name; also available as pinion::NAME
#   PREFIX    how headers are spelled, e.g. "pinion/groth16" gives #include <pinion/groth16/shape.hpp>
#   SOURCES   files relative to the current folder; a library without sources is an INTERFACE library
#   DEPENDS   pinion libraries this one may see (PUBLIC)
#   LINK      third-party targets (PUBLIC)
#   PRIVATE   third-party targets no header shows
# A library under sdk/ is also part of the installed SDK: its headers, its archive, its target.
function(pinion_library name)
  cmake_parse_arguments(arg "" "PREFIX" "SOURCES;DEPENDS;LINK;PRIVATE" ${ARGN})
  set(target "pinion-${name}")
  set(root "${PROJECT_BINARY_DIR}/include/${name}")
  get_filename_component(parent "${root}/${arg_PREFIX}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${root}/${arg_PREFIX}" SYMBOLIC)
  list(TRANSFORM arg_DEPENDS PREPEND "pinion::")
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${root}>")
    target_link_libraries(${target} PUBLIC ${arg_DEPENDS} ${arg_LINK}
      PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:pinion-warnings>)
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${root}>")
    target_link_libraries(${target} INTERFACE ${arg_DEPENDS} ${arg_LINK})
  endif()
  add_library("pinion::${name}" ALIAS ${target})
  cmake_path(IS_PREFIX PINION_SDK_DIR "${CMAKE_CURRENT_SOURCE_DIR}" in_sdk)
  if(in_sdk)
    pinion_sdk_target(${name} "${CMAKE_CURRENT_SOURCE_DIR}/" "include/${arg_PREFIX}")
  endif()
endfunction()

# pinion_sdk_target(NAME HEADERS DESTINATION): makes target pinion-NAME, and the headers under the folder HEADERS, part
# of the SDK that `cmake --install --component sdk` lays down for find_package(pinion-sdk). Whatever has to be built for
# that is built with the product.
set(PINION_SDK_DIR "${PROJECT_SOURCE_DIR}/sdk")
function(pinion_sdk_target name headers destination)
  set_target_properties(pinion-${name} PROPERTIES EXPORT_NAME ${name})
  get_target_property(type pinion-${name} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    set_property(GLOBAL APPEND PROPERTY pinion_product pinion-${name})
  endif()
  install(TARGETS pinion-${name} EXPORT pinion-sdk ARCHIVE DESTINATION lib COMPONENT sdk INCLUDES DESTINATION include)
  if(headers)
    install(DIRECTORY "${headers}" DESTINATION "${destination}" COMPONENT sdk
      FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
  endif()
endfunction()

# pinion_test(NAME SOURCES ... [DEPENDS ...] [LABELS ...] [TIMEOUT seconds])
# One Catch2 program, one ctest entry. Label "slow" keeps it out of `make check`.
function(pinion_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS;LINK;LABELS" ${ARGN})
  if(NOT PINION_TESTS)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND "pinion::")
  add_executable(test-${name} ${arg_SOURCES})
  target_link_libraries(test-${name} PRIVATE ${arg_DEPENDS} ${arg_LINK} pinion-test-main pinion-warnings)
  add_test(NAME ${name} COMMAND test-${name})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
