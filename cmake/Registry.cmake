# The folders of kernels/ and programs/ become one library a model and the generated list of what there is
# (KernelFolder.cmake).
include(KernelFolder)

file(GLOB kernel_folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${CMAKE_SOURCE_DIR}/kernels/* ${CMAKE_SOURCE_DIR}/programs/*)
list(SORT kernel_folders)
sextant_scan_folders(${kernel_folders})

set(model_entries "")
foreach(model serial openmp openacc cuda library)
  string(TOUPPER ${model} MODEL)
  if(SEXTANT_HAVE_${MODEL})
    set(built true)
  else()
    set(built false)
  endif()
  string(APPEND model_entries "      {Model::${model}, ${built}, R\"(${SEXTANT_WHY_NOT_${MODEL}})\", "
         "R\"(${SEXTANT_COMPILER_${MODEL}})\", R\"(${SEXTANT_FLAGS_${MODEL}})\"},\n")
endforeach()

configure_file(${CMAKE_SOURCE_DIR}/cmake/registry_list.cpp.in ${CMAKE_BINARY_DIR}/generated/registry_list.cpp @ONLY)

# One library a model.
add_library(sextant_kernels STATIC ${kernel_files})
target_link_libraries(sextant_kernels PRIVATE sextant_options)
target_compile_options(sextant_kernels PRIVATE ${kernel_optimisation})
if(OpenMP_CXX_FOUND)
  target_link_libraries(sextant_kernels PUBLIC OpenMP::OpenMP_CXX)  # references and data set-up use all cores
endif()

add_library(sextant_serial STATIC ${serial_sources})
target_link_libraries(sextant_serial PRIVATE sextant_options)
sextant_serial_flags(${serial_sources})
target_link_libraries(sextant_kernels PUBLIC sextant_serial)

if(SEXTANT_HAVE_OPENMP AND openmp_sources)
  add_library(sextant_openmp STATIC ${openmp_sources})
  target_link_libraries(sextant_openmp PRIVATE sextant_options OpenMP::OpenMP_CXX)
  target_compile_options(sextant_openmp PRIVATE ${native_flags})
  target_link_libraries(sextant_kernels PUBLIC sextant_openmp)
endif()

if(library_sources)
  add_library(sextant_library STATIC ${library_sources})
  target_link_libraries(sextant_library PRIVATE sextant_options)
  target_compile_options(sextant_library PRIVATE ${kernel_optimisation})
  if(OpenMP_CXX_FOUND)
    target_link_libraries(sextant_library PRIVATE OpenMP::OpenMP_CXX)  # what programs do around a library's call
  endif()
  if(OPENBLAS_FOUND)
    target_link_libraries(sextant_library PRIVATE PkgConfig::OPENBLAS)
  endif()
  if(FFTW_FOUND)
    if(SEXTANT_FFTW_THREADS AND OpenMP_CXX_FOUND)
      target_link_libraries(sextant_library PRIVATE ${SEXTANT_FFTW_THREADS})
      target_compile_definitions(sextant_library PRIVATE SEXTANT_FFTW_THREADS)
    endif()
    target_link_libraries(sextant_library PRIVATE PkgConfig::FFTW)
  endif()
  target_link_libraries(sextant_kernels PUBLIC sextant_library)
endif()

if(SEXTANT_HAVE_CUDA)
  add_library(sextant_cuda STATIC ${cuda_sources} ${library_cuda_sources})
  target_link_libraries(sextant_cuda PRIVATE sextant_options PUBLIC CUDA::cudart_static)
  set_target_properties(sextant_cuda PROPERTIES CUDA_SEPARABLE_COMPILATION OFF CUDA_RUNTIME_LIBRARY Static)
  target_link_libraries(sextant_kernels PUBLIC sextant_cuda)
endif()

# OpenACC: the one shared library (a static one would force -fopenacc on the final link), each file by its own
# compiler, whichever that is.
if(SEXTANT_HAVE_OPENACC)
  include(Explain)
  set(openacc_objects "")
  set(openacc_warnings -Wall -Wextra -Wno-openacc-parallelism
      -Wno-unused-parameter -Wno-unknown-pragmas)  # directives count as no use; loop.hpp has OpenMP ones
  if(SEXTANT_WERROR)
    list(APPEND openacc_warnings -Werror)
  endif()
  if(SEXTANT_OPENACC_COMPILER AND NOT SEXTANT_OPENACC_COMPILER MATCHES "g\\+\\+")
    set(openacc_warnings "")
  endif()
  list(APPEND openacc_sources ${CMAKE_SOURCE_DIR}/src/device/openacc/directives.cpp
       ${CMAKE_SOURCE_DIR}/src/trace/constructs_openacc.cpp)
  foreach(file ${openacc_sources})
    file(RELATIVE_PATH relative ${CMAKE_SOURCE_DIR} ${file})
    set(object ${CMAKE_BINARY_DIR}/openacc/${relative}.o)
    get_filename_component(object_folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${object_folder})
    add_custom_command(OUTPUT ${object}
      COMMAND ${openacc_keep_notes} ${relative}
              ${SEXTANT_CCACHE} ${openacc_compiler} -std=c++20 -fPIC ${openacc_warnings} -I${CMAKE_SOURCE_DIR}/src
              ${openacc_compile} ${openacc_note_flags} -MD -MF ${object}.d -c ${file} -o ${object}
      DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/compile_openacc.sh DEPFILE ${object}.d VERBATIM COMMENT "Compiling ${relative} for OpenACC")
    list(APPEND openacc_objects ${object})
  endforeach()
  set(openacc_library ${CMAKE_BINARY_DIR}/lib/libsextant_openacc.so)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  add_custom_command(OUTPUT ${openacc_library}
    COMMAND ${openacc_compiler} -shared ${openacc_link} ${openacc_objects} -o ${openacc_library}
    DEPENDS ${openacc_objects} VERBATIM COMMENT "Linking the OpenACC library")
  add_custom_target(sextant_openacc_build DEPENDS ${openacc_library})
  add_library(sextant_openacc SHARED IMPORTED GLOBAL)
  set_target_properties(sextant_openacc PROPERTIES IMPORTED_LOCATION ${openacc_library} IMPORTED_NO_SONAME ON)
  add_dependencies(sextant_openacc sextant_openacc_build)
  target_link_libraries(sextant_kernels PUBLIC sextant_openacc)
  add_dependencies(sextant_kernels sextant_openacc_build)
endif()
