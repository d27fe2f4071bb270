# `sextant explain` prints the OpenACC compiler's messages about directives. The build stores these messages
# next to the program, by these variables:
#   openacc_share         the folder of the messages in the build folder
#   openacc_keep_notes    the prefix of a compile command; append the file's path (see compile_openacc.sh)
#   openacc_note_flags    the compiler flags that request the messages
set(openacc_share ${CMAKE_BINARY_DIR}/share/sextant/openacc)
set(openacc_keep_notes ${CMAKE_SOURCE_DIR}/cmake/compile_openacc.sh ${openacc_share} ${CMAKE_SOURCE_DIR})
set(openacc_note_flags "")
if(NOT SEXTANT_OPENACC_COMPILER OR SEXTANT_OPENACC_COMPILER MATCHES "g\\+\\+")
  set(openacc_note_flags -fopt-info-omp-all)
endif()
