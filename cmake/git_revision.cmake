# Run by every build: cmake -DSOURCE=… -DTEMPLATE=… -DOUTPUT=… -DSEXTANT_VERSION=… … -P git_revision.cmake
# configure_file leaves the output alone when nothing changed, so that nothing is compiled again.
find_program(git git)
set(SEXTANT_GIT_REVISION unknown)
if(SEXTANT_REVISION)  # of a source without git, as its packager has it
  set(SEXTANT_GIT_REVISION ${SEXTANT_REVISION})
endif()
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse HEAD RESULT_VARIABLE failed OUTPUT_VARIABLE revision
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(source_path ${SOURCE} REALPATH)
  if(NOT failed AND top STREQUAL source_path)  # not the revision of some repository that Sextant was unpacked in
    set(SEXTANT_GIT_REVISION ${revision})
    execute_process(COMMAND ${git} -C ${SOURCE} diff-index --quiet HEAD -- RESULT_VARIABLE modified ERROR_QUIET)
    if(modified)
      string(APPEND SEXTANT_GIT_REVISION -modified)
    endif()
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
