# The CPU variants without the baselines form a shared library, libsextant_cpu.so. It exports only the
# functions that return the lists of variants. The linker therefore cannot give references and baselines an
# inline function that was compiled with this library's processor flags.
#
# A package must run on many processors. It therefore has one such library for each of SEXTANT_CPU_LEVELS. The
# first level suits all processors, and its library is in the project's library folder. The others are in
# glibc-hwcaps/<level>/ below that folder. The loader (glibc 2.33 and later) picks the best library that the
# processor can run.
#
# Input: serial_sources, openmp_sources and stdpar_sources.
set(exports_of_cpu ${CMAKE_BINARY_DIR}/generated/cpu_exports.map)
sextant_export_lists(${exports_of_cpu})

# sextant_cpu_library(name march) makes the library, compiled with -march=<march>.
function(sextant_cpu_library name march)
  set(objects "")
  foreach(model serial openmp stdpar)
    if(${model}_sources)
      set(part ${name}_${model})
      add_library(${part} OBJECT ${${model}_sources})
      target_link_libraries(${part} PRIVATE sextant_options)
      target_compile_options(${part} PRIVATE ${native_flags} -march=${march} -fvisibility-inlines-hidden)
      list(APPEND objects $<TARGET_OBJECTS:${part}>)
    endif()
  endforeach()
  set(name_of_level ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
  file(CONFIGURE OUTPUT ${name_of_level} CONTENT
      "extern \"C\" const char* sextant_cpu_level();\nconst char* sextant_cpu_level() { return \"${march}\"; }\n")
  add_library(${name} SHARED ${name_of_level} ${objects})
  target_link_libraries(${name} PRIVATE sextant_options)
  target_link_options(${name} PRIVATE LINKER:--version-script=${exports_of_cpu})
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${exports_of_cpu})
  if(openmp_sources)
    target_link_libraries(${name}_openmp PRIVATE OpenMP::OpenMP_CXX)
    target_link_libraries(${name} PRIVATE OpenMP::OpenMP_CXX)
  endif()
  if(stdpar_sources)
    target_link_libraries(${name}_stdpar PRIVATE TBB::tbb OpenMP::OpenMP_CXX)
    target_compile_options(${name}_stdpar PRIVATE ${SEXTANT_STDPAR_FLAGS})
    target_link_libraries(${name} PRIVATE TBB::tbb)
    target_link_options(${name} PRIVATE ${SEXTANT_STDPAR_FLAGS})
  endif()
endfunction()

foreach(model openmp stdpar)
  string(TOUPPER ${model} MODEL)
  if(NOT SEXTANT_HAVE_${MODEL})
    set(${model}_sources "")
  endif()
endforeach()
if(SEXTANT_CPU_LEVELS)
  list(GET SEXTANT_CPU_LEVELS 0 plain_level)
  foreach(level ${SEXTANT_CPU_LEVELS})
    sextant_cpu_library(sextant_cpu_${level} ${level})
    set_target_properties(sextant_cpu_${level} PROPERTIES OUTPUT_NAME sextant_cpu)
    if(NOT level STREQUAL plain_level)
      set_target_properties(sextant_cpu_${level} PROPERTIES SEXTANT_LEVEL_FOLDER glibc-hwcaps/${level}
                            LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/glibc-hwcaps/${level})
      add_dependencies(sextant_cpu_${plain_level} sextant_cpu_${level})
    endif()
  endforeach()
  target_link_libraries(sextant_kernels PUBLIC sextant_cpu_${plain_level})
else()
  sextant_cpu_library(sextant_cpu ${SEXTANT_CPU_ARCH})
  target_link_libraries(sextant_kernels PUBLIC sextant_cpu)
endif()
