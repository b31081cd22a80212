# blst: CPU arithmetic of BLS12-381 (C and assembly, Apache-2.0).
#
# -DPINION_BLST=DIR uses a copy of its source tree (DIR/src, DIR/build, DIR/bindings). Otherwise scripts/fetch-blst
# puts the pinned npm package, which carries the complete source, under the build tree.
set(PINION_BLST "" CACHE PATH "blst source tree (holds src/, build/ and bindings/); empty: the pinned npm package")
if(PINION_BLST)
  set(blst_dir "${PINION_BLST}")
else()
  set(blst_dir "${PROJECT_SOURCE_DIR}/build/third_party/blst")
  if(NOT EXISTS "${blst_dir}/src/server.c")
    execute_process(COMMAND "${PROJECT_SOURCE_DIR}/scripts/fetch-blst" "${blst_dir}" RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "blst: scripts/fetch-blst failed; or give a copy with -DPINION_BLST=DIR")
    endif()
  endif()
endif()
if(NOT EXISTS "${blst_dir}/src/server.c")
  message(FATAL_ERROR "blst: no src/server.c under ${blst_dir}; give its source tree with -DPINION_BLST=DIR")
endif()
enable_language(C ASM)
add_library(pinion-blst STATIC "${blst_dir}/src/server.c" "${blst_dir}/build/assembly.S")
set_target_properties(pinion-blst PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(pinion-blst SYSTEM PUBLIC "$<BUILD_INTERFACE:${blst_dir}/bindings>")
# Portable: runs on every x86-64, and so without ADX, which this version of blst chooses when it is compiled and not when it
# runs. ADX would make blst's arithmetic a fifth faster (docs/performance.md); the inner loops of provers have kernels of
# their own, chosen when they run (sdk/bls12_381/simd).
target_compile_definitions(pinion-blst PRIVATE __BLST_PORTABLE__)
target_compile_options(pinion-blst PRIVATE -O2 -fno-builtin)
pinion_sdk_target(blst "" "")
