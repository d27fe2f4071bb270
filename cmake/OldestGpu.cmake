# The presets dev and ci build for one new GPU; what its device code may not ask of older ones this notices: the target
# oldest_gpu compiles the device code of every .cu that is built for SEXTANT_OLDEST_GPU, with next to no optimisation and without the
# host's half, and the test of that name builds it.
set(why_not "")
if(NOT SEXTANT_HAVE_CUDA)
  set(why_not "CUDA is off: ${SEXTANT_WHY_NOT_CUDA}")
else()
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE codes ERROR_QUIET)
  if(NOT codes MATCHES "sm_${SEXTANT_OLDEST_GPU}\n")
    set(why_not "${CMAKE_CUDA_COMPILER} does not compile for sm_${SEXTANT_OLDEST_GPU}")
  endif()
endif()

if(why_not)
  add_test(NAME oldest_gpu COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${why_not}")
  set_tests_properties(oldest_gpu PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:" LABELS build)
  return()
endif()

set(cubins "")
foreach(folder kernels programs npb patterns src tests)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${folder}/*.cu)
  list(FILTER files EXCLUDE REGEX "^tests/own/")  # users' files, which are compiled with their macros when they are loaded
  foreach(file ${files})
    set(cubin ${CMAKE_BINARY_DIR}/oldest_gpu/${file}.cubin)
    get_filename_component(cubin_folder ${cubin} DIRECTORY)
    file(MAKE_DIRECTORY ${cubin_folder})
    add_custom_command(OUTPUT ${cubin}
      COMMAND ${CMAKE_CUDA_COMPILER} -std=c++20 ${sextant_cuda_options} -I${CMAKE_SOURCE_DIR}/src -I${CMAKE_SOURCE_DIR}/tests
              -arch=sm_${SEXTANT_OLDEST_GPU} -cubin ${sextant_quick_device} -MD -MF ${cubin}.d -o ${cubin} ${CMAKE_SOURCE_DIR}/${file}
      DEPENDS ${CMAKE_SOURCE_DIR}/${file} DEPFILE ${cubin}.d VERBATIM COMMENT "Compiling ${file} for sm_${SEXTANT_OLDEST_GPU}")
    list(APPEND cubins ${cubin})
  endforeach()
endforeach()
add_custom_target(oldest_gpu DEPENDS ${cubins})
add_test(NAME oldest_gpu COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target oldest_gpu --parallel 2)
set_tests_properties(oldest_gpu PROPERTIES LABELS build PROCESSORS 2)
