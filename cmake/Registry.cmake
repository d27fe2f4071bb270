# The folders of kernels/ and programs/ become one library a model and the generated list of what there is.
#
# kernels/<folder>/kernel.cpp defines   std::vector<Kernel> <folder>_kernels()
# kernels/<folder>/<model>.<name>.cpp|cu defines   Variant <folder>_<model>_<name>()   (all in namespace sextant)
#
# Path is identity: nothing else names them. A function that is missing is a link error.

file(GLOB kernel_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/*/kernel.cpp ${CMAKE_SOURCE_DIR}/programs/*/kernel.cpp)
file(GLOB variant_files CONFIGURE_DEPENDS
     ${CMAKE_SOURCE_DIR}/kernels/*/*.*.cpp ${CMAKE_SOURCE_DIR}/kernels/*/*.*.cu
     ${CMAKE_SOURCE_DIR}/programs/*/*.*.cpp ${CMAKE_SOURCE_DIR}/programs/*/*.*.cu)
list(SORT kernel_files)
list(SORT variant_files)

set(declarations "")
set(folder_entries "")
set(left_out_entries "")
foreach(model serial openmp openacc cuda library)
  set(${model}_sources "")
endforeach()
set(library_cuda_sources "")

foreach(kernel_file ${kernel_files})
  get_filename_component(folder_path ${kernel_file} DIRECTORY)
  get_filename_component(folder ${folder_path} NAME)
  string(APPEND declarations "std::vector<Kernel> ${folder}_kernels();\n")
  set(variants "")
  foreach(model serial openmp openacc cuda library)
    foreach(file ${variant_files})
      get_filename_component(file_folder ${file} DIRECTORY)
      get_filename_component(base ${file} NAME_WLE)
      get_filename_component(extension ${file} LAST_EXT)
      if(NOT file_folder STREQUAL folder_path OR NOT base MATCHES "^${model}\\.([a-z0-9_]+)$")
        continue()
      endif()
      set(name ${CMAKE_MATCH_1})
      set(needs ${model})
      if(model STREQUAL library AND extension STREQUAL .cu)
        set(needs cuda)
      elseif(model STREQUAL library AND name MATCHES "^(openblas|fftw)")
        set(needs ${CMAKE_MATCH_1})
      endif()
      string(TOUPPER ${needs} needs)
      if(SEXTANT_HAVE_${needs})
        string(APPEND declarations "Variant ${folder}_${model}_${name}();\n")
        string(APPEND variants "{\"${model}.${name}\", Model::${model}, ${folder}_${model}_${name}}, ")
        if(model STREQUAL library AND extension STREQUAL .cu)
          list(APPEND library_cuda_sources ${file})
        else()
          list(APPEND ${model}_sources ${file})
        endif()
      else()
        string(APPEND left_out_entries
               "      {\"${folder}\", \"${model}.${name}\", R\"(${SEXTANT_WHY_NOT_${needs}})\"},\n")
      endif()
    endforeach()
  endforeach()
  string(APPEND folder_entries "      {\"${folder}\", ${folder}_kernels, {${variants}}},\n")
endforeach()

foreach(file ${variant_files})  # a file that no model claims is a mistake, not a variant to ignore
  get_filename_component(base ${file} NAME_WLE)
  get_filename_component(folder_path ${file} DIRECTORY)
  if(NOT base MATCHES "^(serial|openmp|openacc|cuda|library)\\.[a-z0-9_]+$")
    message(FATAL_ERROR "${file}: a variant's file is named <model>.<name>.cpp or .cu, with <model> one of "
                        "serial, openmp, openacc, cuda, library and <name> of a-z, 0-9 and _")
  elseif(NOT EXISTS ${folder_path}/kernel.cpp)
    message(FATAL_ERROR "${file}: its folder has no kernel.cpp")
  endif()
endforeach()

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
# Sanitizers look at what is computed, not at how fast: with -O1 their build takes half the time.
if(SEXTANT_SANITIZE)
  set(baseline_optimisation -O1)
  set(kernel_optimisation -O1)
else()
  set(baseline_optimisation -O2)
  set(kernel_optimisation -O3)
endif()
target_compile_options(sextant_kernels PRIVATE ${kernel_optimisation})
if(OpenMP_CXX_FOUND)
  target_link_libraries(sextant_kernels PUBLIC OpenMP::OpenMP_CXX)  # references and data set-up use all cores
endif()

# Nothing here reads errno, and a root that may set it does not vectorise; omp simd asks for no thread.
set(native_flags ${kernel_optimisation} ${SEXTANT_ALIGNED_LOOPS} -march=${SEXTANT_CPU_ARCH} -fno-math-errno -fopenmp-simd)
add_library(sextant_serial STATIC ${serial_sources})
target_link_libraries(sextant_serial PRIVATE sextant_options)
foreach(file ${serial_sources})
  get_filename_component(base ${file} NAME_WLE)
  if(base MATCHES "^serial\\.baseline")
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${baseline_optimisation};${SEXTANT_ALIGNED_LOOPS}")
  else()
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${native_flags}")
  endif()
endforeach()
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
