# Writes the version and the git revision to a C++ file. Every build runs this script:
#   cmake -DSOURCE=… -DTEMPLATE=… -DOUTPUT=… -DSEXTANT_VERSION=… … -P git_revision.cmake
# configure_file does not touch an unchanged output, so nothing is recompiled.
find_program(git git)
set(SEXTANT_GIT_REVISION unknown)
if(SEXTANT_REVISION)  # set by the packager of a source tree without git
  set(SEXTANT_GIT_REVISION ${SEXTANT_REVISION})
endif()
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse HEAD RESULT_VARIABLE failed OUTPUT_VARIABLE revision
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(source_path ${SOURCE} REALPATH)
  if(NOT failed AND top STREQUAL source_path)  # a repository around an unpacked source tree does not count
    set(SEXTANT_GIT_REVISION ${revision})
    execute_process(COMMAND ${git} -C ${SOURCE} diff-index --quiet HEAD -- RESULT_VARIABLE modified ERROR_QUIET)
    if(modified)
      string(APPEND SEXTANT_GIT_REVISION -modified)
    endif()
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
