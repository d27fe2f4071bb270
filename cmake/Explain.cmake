# What the OpenACC compiler says of the directives is kept beside the program, for `sextant explain`.
#   openacc_share         where it lies in the build
#   openacc_keep_notes    the words to put before a compile command, see compile_openacc.sh; ends in the file's path
#   openacc_note_flags    what makes the compiler say it
set(openacc_share ${CMAKE_BINARY_DIR}/share/sextant/openacc)
set(openacc_keep_notes ${CMAKE_SOURCE_DIR}/cmake/compile_openacc.sh ${openacc_share} ${CMAKE_SOURCE_DIR})
set(openacc_note_flags "")
if(NOT SEXTANT_OPENACC_COMPILER OR SEXTANT_OPENACC_COMPILER MATCHES "g\\+\\+")
  set(openacc_note_flags -fopt-info-omp-all)
endif()
