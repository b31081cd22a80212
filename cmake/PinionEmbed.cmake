# pinion_embed(TARGET SYMBOL FILE): puts a file's bytes into a target, as they are, between the C symbols SYMBOL_begin and
# SYMBOL_end (const unsigned char[], hidden). For sample inputs, which are data and should stay files.
function(pinion_embed target symbol file)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S")
  file(CONFIGURE OUTPUT "${source}" CONTENT [[
    .section .rodata
    .global @symbol@_begin
    .global @symbol@_end
    .hidden @symbol@_begin
    .hidden @symbol@_end
    .balign 64
@symbol@_begin:
    .incbin "@file@"
@symbol@_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
]] @ONLY)
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${file}")
  target_sources(${target} PRIVATE "${source}")
endfunction()
