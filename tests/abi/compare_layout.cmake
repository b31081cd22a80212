# cmake -DPROGRAM=… -DGOLDEN=… -P compare_layout.cmake: the layout the program prints is the one on record.
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE layout RESULT_VARIABLE failed)
file(READ "${GOLDEN}" golden)
if(failed OR NOT layout STREQUAL golden)
  file(WRITE "${PROGRAM}.txt" "${layout}")
  execute_process(COMMAND diff -u "${GOLDEN}" "${PROGRAM}.txt")
  message(FATAL_ERROR "the ABI's layout is not that of ${GOLDEN}. If the change is meant: append only, raise "
    "PINION_ABI_MINOR, add a line to sdk/CHANGES.md, and record it with: ${PROGRAM} > ${GOLDEN}")
endif()
