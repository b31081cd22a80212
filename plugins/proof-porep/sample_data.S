/* The bytes of the sample input, put into the plugin as they are. SAMPLE_C1 is the path of the file. */
    .section .rodata
    .global pinion_porep_sample_begin
    .global pinion_porep_sample_end
    .hidden pinion_porep_sample_begin
    .hidden pinion_porep_sample_end
    .balign 64
pinion_porep_sample_begin:
    .incbin SAMPLE_C1
pinion_porep_sample_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
