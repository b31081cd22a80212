# pinion_add_plugin(ID VERSION <x.y.z> INTERFACES <id>... SOURCES <file>... [DEPENDS <pinion library>...]
#                   [LINK <target>...] [OUTPUT_DIRECTORY <dir>])
#
# One loadable plugin: OUTPUT/ID.so, and beside it its manifest OUTPUT/ID.toml. The build and the manifest come from
# the same words, so they cannot disagree: sources get PINION_PLUGIN_ID and PINION_PLUGIN_VERSION as string literals.
#   ID                target name and plugin id: [a-z0-9-], at most 63 characters
#   VERSION           as in 1.0.0, with a suffix as in 1.0.0-rc1
#   INTERFACES        what `query` answers: "pinion.allocator/1" ...: those of the class's bases, where it uses the wrapper
#   DEPENDS           pinion libraries, as in pinion_library (in-tree builds only)
#   LINK              any other targets
#   OUTPUT_DIRECTORY  default: PINION_PLUGIN_OUTPUT_DIRECTORY where that is set (then the plugin is also installed),
#                     else the current binary directory
#
# What is set, and why:
#   hidden visibility, anonymous version script   exactly one exported symbol; two C++ plugins with default visibility
#                                                 silently share static tables
#   -fno-gnu-unique                               such symbols are shared even under RTLD_LOCAL
#   -z defs                                       an unresolved symbol fails here, not at an operator's
#   -z nodelete                                   a library with a live thread must not be unmapped
#   shared CUDA runtime                           memory page-locked by one plugin is known to another
set(PINION_PLUGIN_MAP "${CMAKE_CURRENT_LIST_DIR}/pinion-plugin.map")
# In the source tree, or as installed (lib/cmake/pinion-sdk).
find_path(PINION_ABI_INCLUDE pinion/abi.h
  PATHS "${CMAKE_CURRENT_LIST_DIR}/../abi/include" "${CMAKE_CURRENT_LIST_DIR}/../../../include"
  NO_DEFAULT_PATH REQUIRED)
mark_as_advanced(PINION_ABI_INCLUDE)

# "MAJOR.MINOR" as abi.h states it.
function(pinion_abi_version result)
  foreach(part MAJOR MINOR)
    file(STRINGS "${PINION_ABI_INCLUDE}/pinion/abi.h" line REGEX "^#define PINION_ABI_${part} [0-9]+")
    string(REGEX MATCH "[0-9]+$" ${part} "${line}")
  endforeach()
  set(${result} "${MAJOR}.${MINOR}" PARENT_SCOPE)
endfunction()

# The interfaces that pinion's headers define.
function(pinion_known_interfaces result)
  set(known)
  file(GLOB headers "${PINION_ABI_INCLUDE}/pinion/*.h")
  list(FILTER headers EXCLUDE REGEX "/host\\.h$") # what the host offers plugins
  foreach(header ${headers})
    file(STRINGS "${header}" lines REGEX "^#define PINION_[A-Z]+ \"pinion\\.[a-z]+/[0-9]+\"")
    foreach(line ${lines})
      string(REGEX REPLACE ".*\"(.*)\"" "\\1" interface "${line}")
      list(APPEND known "${interface}")
    endforeach()
  endforeach()
  list(SORT known)
  set(${result} ${known} PARENT_SCOPE)
endfunction()

# What the host would refuse when it loads the plugin is refused here.
function(pinion_check_plugin id version interfaces)
  set(who "pinion_add_plugin(${id})")
  string(LENGTH "${id}" length)
  if(NOT id MATCHES "^[a-z0-9-]+$" OR length GREATER 63)
    message(FATAL_ERROR "${who}: the id must match [a-z0-9-]+ and have at most 63 characters")
  endif()
  if(NOT version MATCHES "^[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.+-]+)?$")
    message(FATAL_ERROR "${who}: VERSION ${version}: must be like 1.0.0 or 1.0.0-rc1")
  endif()
  pinion_known_interfaces(known)
  foreach(interface ${interfaces})
    if(NOT interface MATCHES "^[a-z0-9.-]+/[0-9]+$")
      message(FATAL_ERROR "${who}: INTERFACES ${interface}: must match [a-z0-9.-]+/[0-9]+, as in pinion.allocator/1")
    elseif(interface MATCHES "^pinion\\." AND NOT interface IN_LIST known)
      list(JOIN known ", " all)
      message(FATAL_ERROR "${who}: INTERFACES ${interface}: pinion has no such interface; there are: ${all}")
    endif()
  endforeach()
  set(once ${interfaces})
  list(REMOVE_DUPLICATES once)
  if(NOT once STREQUAL interfaces)
    message(FATAL_ERROR "${who}: INTERFACES names one of them twice: ${interfaces}")
  endif()
endfunction()

function(pinion_add_plugin id)
  cmake_parse_arguments(arg "" "VERSION;OUTPUT_DIRECTORY" "INTERFACES;SOURCES;DEPENDS;LINK" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "pinion_add_plugin(${id}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  foreach(required VERSION INTERFACES SOURCES)
    if(NOT arg_${required})
      message(FATAL_ERROR "pinion_add_plugin(${id}): ${required} is missing")
    endif()
  endforeach()
  pinion_check_plugin("${id}" "${arg_VERSION}" "${arg_INTERFACES}")
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    message(WARNING "pinion_add_plugin(${id}): no CMAKE_BUILD_TYPE, so nothing is optimised: -DCMAKE_BUILD_TYPE=Release")
  endif()
  set(install OFF)
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    if(PINION_PLUGIN_OUTPUT_DIRECTORY)
      set(arg_OUTPUT_DIRECTORY "${PINION_PLUGIN_OUTPUT_DIRECTORY}")
      set(install ON)
    endif()
  endif()

  list(TRANSFORM arg_DEPENDS PREPEND "pinion::")
  add_library(${id} MODULE ${arg_SOURCES})
  set_target_properties(${id} PROPERTIES
    PREFIX "" SUFFIX ".so" LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT_DIRECTORY}"
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    CUDA_RUNTIME_LIBRARY Shared LINK_DEPENDS "${PINION_PLUGIN_MAP}")
  target_compile_features(${id} PRIVATE cxx_std_20)
  target_compile_definitions(${id} PRIVATE PINION_PLUGIN_ID="${id}" PINION_PLUGIN_VERSION="${arg_VERSION}")
  target_compile_options(${id} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  target_link_options(${id} PRIVATE
    "LINKER:--version-script=${PINION_PLUGIN_MAP}" "LINKER:-z,nodelete" "LINKER:-z,relro" "LINKER:-z,now")
  # Clang leaves the sanitizers' own symbols to the program.
  if(NOT (PINION_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES Clang))
    target_link_options(${id} PRIVATE "LINKER:-z,defs")
  endif()
  target_link_libraries(${id} PRIVATE pinion::plugin ${arg_DEPENDS} ${arg_LINK})
  if(TARGET pinion-warnings)
    target_link_libraries(${id} PRIVATE pinion-warnings)
  endif()

  pinion_abi_version(abi)
  list(TRANSFORM arg_INTERFACES REPLACE "(.+)" "\"\\1\"")
  list(JOIN arg_INTERFACES ", " interfaces)
  set(manifest "${arg_OUTPUT_DIRECTORY}/${id}.toml")
  file(GENERATE OUTPUT "${manifest}" CONTENT "# Written by pinion_add_plugin.
manifest_version = 1
id = \"${id}\"
version = \"${arg_VERSION}\"
interfaces = [${interfaces}]
abi = \"${abi}\"
library = \"${id}.so\" # relative to this file
")
  if(install)
    set_property(GLOBAL APPEND PROPERTY pinion_product ${id})
    install(TARGETS ${id} LIBRARY DESTINATION lib/pinion/plugins COMPONENT product)
    install(FILES "${manifest}" DESTINATION lib/pinion/plugins COMPONENT product)
  endif()
endfunction()
