# Device code must also compile for GPUs other than those of the build. These targets compile it with almost
# no optimisation and without host code:
#   oldest_gpu  in a build for newer GPUs (presets dev and ci): every .cu for SEXTANT_OLDEST_GPU
#   later_gpu   in a build for the oldest GPU (scripts/test without a GPU): files with code for
#               SEXTANT_LATER_GPU under __CUDA_ARCH__, in the file or in its headers. Later GPUs run the other
#               files' code unchanged.
# A test builds each target.
set(SEXTANT_LATER_GPU 90)
set(name oldest_gpu)
set(generation ${SEXTANT_OLDEST_GPU})
if(SEXTANT_HAVE_CUDA AND CMAKE_CUDA_ARCHITECTURES MATCHES "(^|;)${SEXTANT_OLDEST_GPU}")
  set(name later_gpu)
  set(generation ${SEXTANT_LATER_GPU})
endif()

set(why_not "")
if(NOT SEXTANT_HAVE_CUDA)
  set(why_not "CUDA is off: ${SEXTANT_WHY_NOT_CUDA}")
else()
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE codes ERROR_QUIET)
  if(NOT codes MATCHES "sm_${generation}\n")
    set(why_not "${CMAKE_CUDA_COMPILER} does not compile for sm_${generation}")
  endif()
endif()

if(why_not)
  sextant_test(${name} LABELS build COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${why_not}"
      PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:")
  return()
endif()

# Sets `out` to true if the file, or a project header that it includes, has code for later GPUs. It is
# evaluated when CMake configures the build.
function(sextant_knows_later_gpus file out)
  get_property(known GLOBAL PROPERTY later_gpus_${file})
  if("${known}" STREQUAL "")
    set(known FALSE)
    set_property(GLOBAL PROPERTY later_gpus_${file} FALSE)
    get_filename_component(folder ${file} DIRECTORY)
    file(STRINGS ${file} lines REGEX "__CUDA_ARCH__ >= 9|^ *# *include \"")
    foreach(line ${lines})
      if(NOT line MATCHES "include \"(.*)\"")
        set(known TRUE)
      else()
        foreach(header ${folder}/${CMAKE_MATCH_1} ${CMAKE_SOURCE_DIR}/src/${CMAKE_MATCH_1}
                ${CMAKE_SOURCE_DIR}/tests/helpers/${CMAKE_MATCH_1} ${CMAKE_SOURCE_DIR}/tests/engine/${CMAKE_MATCH_1})
          if(NOT known AND EXISTS ${header})
            sextant_knows_later_gpus(${header} known)
          endif()
        endforeach()
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY later_gpus_${file} ${known})
  endif()
  set(${out} ${known} PARENT_SCOPE)
endfunction()

set(cubins "")
foreach(folder kernels programs npb patterns src tests)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${folder}/*.cu)
  # These stand for users' kernel files, which are compiled with further macros when they are loaded.
  list(FILTER files EXCLUDE REGEX "^tests/own/kernels/")
  foreach(file ${files})
    set(architecture sm_${generation})
    if(name STREQUAL later_gpu)
      sextant_knows_later_gpus(${CMAKE_SOURCE_DIR}/${file} takes_part)
      if(NOT takes_part)
        continue()
      endif()
      sextant_specific_sources(${generation} ${CMAKE_SOURCE_DIR}/${file} specific)
      if(specific)
        string(APPEND architecture a)
      endif()
    endif()
    set(cubin ${CMAKE_BINARY_DIR}/${name}/${file}.cubin)
    get_filename_component(cubin_folder ${cubin} DIRECTORY)
    file(MAKE_DIRECTORY ${cubin_folder})
    add_custom_command(OUTPUT ${cubin}
      COMMAND ${sextant_ccache} ${CMAKE_CUDA_COMPILER} -std=c++20 ${sextant_cuda_options} -I${CMAKE_SOURCE_DIR}/src
              -I${CMAKE_SOURCE_DIR}/tests/helpers -I${CMAKE_SOURCE_DIR}/tests/engine -arch=${architecture}
              -cubin -c ${sextant_quick_device} -MD -MF ${cubin}.d -o ${cubin} ${CMAKE_SOURCE_DIR}/${file}
      DEPENDS ${CMAKE_SOURCE_DIR}/${file} DEPFILE ${cubin}.d VERBATIM COMMENT "Compiling ${file} for ${architecture}")
    list(APPEND cubins ${cubin})
  endforeach()
endforeach()
add_custom_target(${name} DEPENDS ${cubins})
sextant_test(${name} LABELS build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target ${name} --parallel 2
             PROPERTIES PROCESSORS 2 COST 300)
