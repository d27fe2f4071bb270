# Makes one library per programming model from the kernels' folders in kernels/, programs/, npb/ and patterns/
# that SEXTANT_SUITES names. This file also writes the generated list of all kernels and variants
# (KernelFolder.cmake).
include(KernelFolder)

set(kernel_folders "")
set(suites kernels programs npb patterns)
foreach(suite ${SEXTANT_SUITES})
  if(NOT suite IN_LIST suites)
    message(FATAL_ERROR "SEXTANT_SUITES: there is no suite `${suite}`. They are kernels, programs, npb and patterns.")
  endif()
endforeach()
foreach(suite ${suites})
  if(suite IN_LIST SEXTANT_SUITES)
    file(GLOB suite_folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${CMAKE_SOURCE_DIR}/${suite}/*)
    list(SORT suite_folders)
    list(APPEND kernel_folders ${suite_folders})
  endif()
endforeach()
set(folders_lie_in_suites TRUE)
sextant_scan_folders(${kernel_folders})

set(model_entries "")
foreach(model serial openmp stdpar openacc target cuda library)
  string(TOUPPER ${model} MODEL)
  if(SEXTANT_HAVE_${MODEL})
    set(built true)
  else()
    set(built false)
  endif()
  string(APPEND model_entries "      {Model::${model}, ${built}, R\"(${SEXTANT_WHY_NOT_${MODEL}})\", "
         "R\"(${SEXTANT_COMPILER_${MODEL}})\", R\"(${SEXTANT_FLAGS_${MODEL}})\"},\n")
endforeach()

set(cpu_level "\"\"")
if(SEXTANT_CPU_LEVELS)
  set(cpu_level "sextant_cpu_level()")
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/registry_list.cpp.in ${CMAKE_BINARY_DIR}/generated/registry_list.cpp @ONLY)

# Kernel definitions and references. The variants are in separate libraries, one per model.
add_library(sextant_kernels ${kernel_files})
target_link_libraries(sextant_kernels PRIVATE sextant_options)
target_compile_options(sextant_kernels PRIVATE ${kernel_optimisation})
if(OpenMP_CXX_FOUND)
  target_link_libraries(sextant_kernels PUBLIC OpenMP::OpenMP_CXX)  # references and data set-up use all cores
endif()

# The baselines: serial.cpp with their compile flags. The other CPU variants are in another library.
add_library(sextant_baseline ${serial_sources})
target_link_libraries(sextant_baseline PRIVATE sextant_options)
target_compile_options(sextant_baseline PRIVATE ${baseline_flags})
target_compile_definitions(sextant_baseline PRIVATE SEXTANT_BASELINE)
target_link_libraries(sextant_kernels PUBLIC sextant_baseline)
include(CpuLibrary)

if(library_sources)
  add_library(sextant_library ${library_sources})
  target_link_libraries(sextant_library PRIVATE sextant_options)
  target_compile_options(sextant_library PRIVATE ${kernel_optimisation})
  if(OpenMP_CXX_FOUND)
    target_link_libraries(sextant_library PRIVATE OpenMP::OpenMP_CXX)  # for the code around a library call
  endif()
  if(OPENBLAS_FOUND)
    target_link_libraries(sextant_library PRIVATE PkgConfig::OPENBLAS)
  endif()
  if(FFTW_FOUND)
    if(SEXTANT_FFTW_THREADS AND SEXTANT_FFTWF_THREADS AND OpenMP_CXX_FOUND)
      target_link_libraries(sextant_library PRIVATE ${SEXTANT_FFTW_THREADS} ${SEXTANT_FFTWF_THREADS})
      target_compile_definitions(sextant_library PRIVATE SEXTANT_FFTW_THREADS)
    endif()
    target_link_libraries(sextant_library PRIVATE PkgConfig::FFTW)
  endif()
  target_link_libraries(sextant_kernels PUBLIC sextant_library)
endif()

if(SEXTANT_HAVE_CUDA)
  sextant_specific_sources(90 "${cuda_sources}" hopper_sources)
  set(hopper_objects "")
  if(hopper_sources)
    list(REMOVE_ITEM cuda_sources ${hopper_sources})
    sextant_specific_architectures(90 hopper_architectures)
    add_library(sextant_cuda_90a OBJECT ${hopper_sources})
    target_link_libraries(sextant_cuda_90a PRIVATE sextant_options CUDA::cudart_static)
    set_target_properties(sextant_cuda_90a PROPERTIES CUDA_SEPARABLE_COMPILATION OFF CUDA_RUNTIME_LIBRARY Static
                                                      CUDA_ARCHITECTURES "${hopper_architectures}")
    set(hopper_objects $<TARGET_OBJECTS:sextant_cuda_90a>)
  endif()
  add_library(sextant_cuda ${cuda_sources} ${library_cuda_sources} ${hopper_objects})
  target_link_libraries(sextant_cuda PRIVATE sextant_options PUBLIC CUDA::cudart_static)
  set_target_properties(sextant_cuda PROPERTIES CUDA_SEPARABLE_COMPILATION OFF CUDA_RUNTIME_LIBRARY Static)
  target_link_libraries(sextant_kernels PUBLIC sextant_cuda)
endif()

# Libraries of offloading models are always shared, because a static library would force its flags on the
# final link. Each file is compiled by the compiler of its model.
#
# sextant_offload_library(MODEL name keep flags sources…) makes libsextant_<name>.so. `keep` is a prefix of
# its compile commands. offload_needs names the libraries that it links.
set(offload_libraries "")
set(offload_needs "")
set(CMAKE_BUILD_RPATH ${CMAKE_BINARY_DIR}/lib)  # programs open libraries by name and find them here
function(sextant_offload_library MODEL name keep flags)
  string(TOLOWER ${MODEL} model)
  set(objects "")
  # Unused parameters are allowed, because the warning ignores uses in directives.
  set(warnings -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas ${flags})
  if(SEXTANT_WERROR)
    list(APPEND warnings -Werror)
  endif()
  if(SEXTANT_${MODEL}_COMPILER AND NOT SEXTANT_${MODEL}_COMPILER MATCHES "g\\+\\+")
    set(warnings "")
  endif()
  foreach(file ${ARGN})
    file(RELATIVE_PATH relative ${CMAKE_SOURCE_DIR} ${file})
    set(object ${CMAKE_BINARY_DIR}/${model}/${relative}.o)
    get_filename_component(object_folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${object_folder})
    set(before "")
    if(keep)
      set(before ${keep} ${relative})
    endif()
    add_custom_command(OUTPUT ${object}
      COMMAND ${before}
              ${sextant_ccache} ${${model}_compiler} -std=c++20 -fPIC ${warnings} -I${CMAKE_SOURCE_DIR}/src
              ${${model}_compile} ${${model}_note_flags} -MD -MF ${object}.d -c ${file} -o ${object}
      DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/compile_openacc.sh DEPFILE ${object}.d
        VERBATIM COMMENT "Compiling ${relative} (${model})")
    list(APPEND objects ${object})
  endforeach()
  set(library ${CMAKE_BINARY_DIR}/lib/libsextant_${name}.so)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  set(needed "")
  foreach(need ${offload_needs})
    list(APPEND needed ${CMAKE_BINARY_DIR}/lib/libsextant_${need}.so)
  endforeach()
  add_custom_command(OUTPUT ${library}
    COMMAND ${${model}_compiler} -shared -Wl,-soname,libsextant_${name}.so ${${model}_link} ${objects}
      ${needed} -o ${library}
            "-Wl,-rpath,$ORIGIN"
    DEPENDS ${objects} ${needed} VERBATIM COMMENT "Linking libsextant_${name}.so")
  add_custom_target(sextant_${name}_build DEPENDS ${library})
  add_dependencies(sextant_kernels sextant_${name}_build)
  list(APPEND offload_libraries ${library})
  set(offload_libraries ${offload_libraries} PARENT_SCOPE)
endfunction()

# sextant_offload_device(MODEL keep flags sources…) makes libsextant_<model>.so, the device code of a model.
# Programs link with it.
macro(sextant_offload_device MODEL keep flags)
  string(TOLOWER ${MODEL} model)
  sextant_offload_library(${MODEL} ${model} "${keep}" "${flags}" ${ARGN})
  add_library(sextant_${model} SHARED IMPORTED GLOBAL)
  set_target_properties(sextant_${model} PROPERTIES IMPORTED_LOCATION ${CMAKE_BINARY_DIR}/lib/libsextant_${model}.so)
  add_dependencies(sextant_${model} sextant_${model}_build)
  target_link_libraries(sextant_kernels PUBLIC sextant_${model})
endmacro()

# sextant_offload_folders(MODEL keep flags sources…) makes libsextant_<model>_<folder>.so for each folder. A
# process opens it at the first use of one of its variants (src/registry/offloaded.cpp). This saves time,
# because the driver compiles the device code of all open libraries when the device starts. GCC calls a target
# region through a pointer, so all regions of a library get as many registers as the region that needs most
# (docs/reference/target.md).
macro(sextant_offload_folders MODEL keep flags)
  string(TOLOWER ${MODEL} model)
  set(offload_folders "")
  foreach(file ${ARGN})
    get_filename_component(folder ${file} DIRECTORY)
    list(APPEND offload_folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES offload_folders)
  foreach(folder ${offload_folders})
    get_filename_component(name ${folder} NAME)
    set(files ${ARGN})
    list(FILTER files INCLUDE REGEX "/${name}/[^/]*$")
    set(offload_needs "")
    if(name STREQUAL matmul_naive)  # some of its variants call code of matmul
      set(offload_needs ${model}_matmul)
    endif()
    sextant_offload_library(${MODEL} ${model}_${name} "${keep}" "${flags}" ${files})
  endforeach()
  set(offload_needs "")
endmacro()

if(SEXTANT_HAVE_OPENACC)
  include(Explain)
  sextant_offload_device(OPENACC "${openacc_keep_notes}" -Wno-openacc-parallelism
                         ${CMAKE_SOURCE_DIR}/src/device/openacc/directives.cpp
                         ${CMAKE_SOURCE_DIR}/src/trace/constructs_openacc.cpp)
  sextant_offload_folders(OPENACC "${openacc_keep_notes}" -Wno-openacc-parallelism ${openacc_sources})
endif()
if(SEXTANT_HAVE_TARGET)
  sextant_offload_device(TARGET "" "" ${CMAKE_SOURCE_DIR}/src/device/target/directives.cpp)
  sextant_offload_folders(TARGET "" "" ${target_sources})
  # LLVM's libraries are linked first. omp_get_num_devices of LLVM calls the next library's function of that
  # name. After a host library with GCC's run time (FFTW's threads), that is libgomp, which does not know
  # LLVM's GPUs.
  if(SEXTANT_COMPILER_TARGET MATCHES "clang" AND OpenMP_omp_LIBRARY)
    get_filename_component(llvm_libraries "${OpenMP_omp_LIBRARY}" DIRECTORY)
    find_library(SEXTANT_OMPTARGET omptarget HINTS ${llvm_libraries})
    mark_as_advanced(SEXTANT_OMPTARGET)
    target_link_options(sextant_kernels INTERFACE LINKER:--push-state,--no-as-needed ${OpenMP_omp_LIBRARY}
        ${SEXTANT_OMPTARGET}
                        LINKER:--pop-state)
  endif()
endif()
