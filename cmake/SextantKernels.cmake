# Makes libraries of kernels outside the source tree, after find_package(sextant).
#
# sextant_add_kernels(name folder…) makes <name>.sextant.so, for `sextant run --load`. The folders have the
# form of kernels/ (CONTRIBUTING.md). Kernels get the same compile flags as the project's kernels, and the
# models that this machine can build. The function prints the variants that are left out, with the reason.
include(${CMAKE_CURRENT_LIST_DIR}/KernelFolder.cmake)
set(SEXTANT_CMAKE_FOLDER ${CMAKE_CURRENT_LIST_DIR})

# sextant_own_offloading(name model) makes a shared library of <model>_sources, linked by the offloading
# compiler.
macro(sextant_own_offloading name model)
  set(objects "")
  foreach(file ${${model}_sources})
    get_filename_component(base ${file} NAME)
    get_filename_component(folder_path ${file} DIRECTORY)
    get_filename_component(folder ${folder_path} NAME)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.${model}/${folder}.${base}.o)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}.${model})
    add_custom_command(OUTPUT ${object}
      COMMAND ${${model}_compiler} -std=c++20 -fPIC -I${SEXTANT_INCLUDE_FOLDER} ${${model}_compile} -MD
        -MF ${object}.d -c ${file} -o ${object}
      DEPENDS ${file} DEPFILE ${object}.d VERBATIM COMMENT "Compiling ${folder}/${base} (${model})")
    list(APPEND objects ${object})
  endforeach()
  set(offload_library ${CMAKE_CURRENT_BINARY_DIR}/lib${name}_${model}.so)
  add_custom_command(OUTPUT ${offload_library}
    COMMAND ${${model}_compiler} -shared ${${model}_link} -Wl,-soname,lib${name}_${model}.so ${objects}
      -o ${offload_library}
    DEPENDS ${objects} VERBATIM COMMENT "Linking ${name}'s variants of ${model}")
  add_custom_target(${name}_${model}_build DEPENDS ${offload_library})
  add_dependencies(${name} ${name}_${model}_build)
  add_library(${name}_${model} SHARED IMPORTED)
  set_target_properties(${name}_${model} PROPERTIES IMPORTED_LOCATION ${offload_library}
      IMPORTED_SONAME lib${name}_${model}.so)
  target_link_libraries(${name} PRIVATE ${name}_${model})
  set_target_properties(${name} PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
endmacro()

# sextant_own_objects(name part sources flags…) makes an object library of these sources, compiled with the
# flags.
function(sextant_own_objects name part sources)
  add_library(${name}_${part} OBJECT ${sources})
  set_target_properties(${name}_${part} PROPERTIES CXX_STANDARD 20
      CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
                        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${name}_${part} PRIVATE ${SEXTANT_INCLUDE_FOLDER})
  target_compile_options(${name}_${part} PRIVATE ${ARGN})
endfunction()

# sextant_own_cpu(name) makes a shared library of the CPU variants without the baselines, like
# libsextant_cpu.so. It exports only the functions that return the lists of variants. The linker therefore
# cannot give references and baselines an inline function that was compiled for this processor.
function(sextant_own_cpu name)
  set(threads "")
  if(OpenMP_CXX_FOUND)
    set(threads ${OpenMP_CXX_FLAGS})
  endif()
  set(objects "")
  set(flags ${native_flags} -march=${SEXTANT_CPU_ARCH} -fvisibility=default)
  if(serial_sources)
    sextant_own_objects(${name} serial "${serial_sources}" ${flags})
    list(APPEND objects $<TARGET_OBJECTS:${name}_serial>)
  endif()
  if(openmp_sources)
    sextant_own_objects(${name} openmp "${openmp_sources}" ${flags} ${threads})
    list(APPEND objects $<TARGET_OBJECTS:${name}_openmp>)
  endif()
  if(stdpar_sources)
    sextant_own_objects(${name} stdpar "${stdpar_sources}" ${flags} ${threads} ${SEXTANT_STDPAR_FLAGS})
    list(APPEND objects $<TARGET_OBJECTS:${name}_stdpar>)
  endif()
  if(NOT objects)
    return()
  endif()
  set(exports ${CMAKE_CURRENT_BINARY_DIR}/${name}_cpu.map)
  sextant_export_lists(${exports})
  add_library(${name}_cpu SHARED ${objects})
  set_target_properties(${name}_cpu PROPERTIES LINKER_LANGUAGE CXX LINK_DEPENDS ${exports})
  target_link_options(${name}_cpu PRIVATE LINKER:--version-script=${exports})
  if(OpenMP_CXX_FOUND)
    target_link_libraries(${name}_cpu PRIVATE ${OpenMP_CXX_LIBRARIES})
  endif()
  if(stdpar_sources)
    target_link_libraries(${name}_cpu PRIVATE TBB::tbb)
    target_link_options(${name}_cpu PRIVATE ${SEXTANT_STDPAR_FLAGS})
  endif()
  target_link_libraries(${name} PRIVATE ${name}_cpu)
  set_target_properties(${name} PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
endfunction()

function(sextant_add_kernels library)
  set(folders "")
  foreach(folder ${ARGN})
    get_filename_component(folder ${folder} ABSOLUTE)
    list(APPEND folders ${folder})
  endforeach()
  sextant_scan_folders(${folders})
  if(NOT kernel_files)
    message(FATAL_ERROR
        "sextant_add_kernels(${library}): no kernel.cpp in ${ARGN}. `sextant new NAME` writes a folder.")
  endif()
  foreach(line ${left_out_lines})
    message(STATUS "${library}: left out ${line}")
  endforeach()

  set(compiler "${SEXTANT_COMPILER_SERIAL}")
  set(flags "serial ${SEXTANT_FLAGS_SERIAL}")
  if(openmp_sources)
    string(APPEND flags "; openmp ${SEXTANT_FLAGS_OPENMP}")
  endif()
  if(stdpar_sources)
    string(APPEND flags "; stdpar ${SEXTANT_COMPILER_STDPAR} ${SEXTANT_FLAGS_STDPAR}")
  endif()
  set(cuda_files ${cuda_sources} ${library_cuda_sources})
  set(plugin_cuda 0)
  if(cuda_files)
    string(APPEND flags "; cuda ${SEXTANT_COMPILER_CUDA} ${SEXTANT_FLAGS_CUDA}")
    set(plugin_cuda 1)
  endif()
  set(parts "")
  foreach(model openacc target)
    string(TOUPPER ${model} MODEL)
    if(${model}_sources)
      string(APPEND flags "; ${model} ${SEXTANT_COMPILER_${MODEL}} ${SEXTANT_FLAGS_${MODEL}}")
      list(APPEND parts lib${library}_${model}.so)
    endif()
  endforeach()
  if(serial_sources OR openmp_sources OR stdpar_sources)
    list(APPEND parts lib${library}_cpu.so)
  endif()
  list(JOIN parts ":" parts)
  set(list_file ${CMAKE_CURRENT_BINARY_DIR}/${library}.list.cpp)
  configure_file(${SEXTANT_CMAKE_FOLDER}/plugin_list.cpp.in ${list_file} @ONLY)

  add_library(${library} MODULE ${list_file} ${kernel_files} ${library_sources} ${cuda_files})
  set_target_properties(${library} PROPERTIES OUTPUT_NAME ${library}.sextant PREFIX "" SUFFIX ".so"
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF CUDA_STANDARD 20
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON
    CUDA_SEPARABLE_COMPILATION OFF CUDA_RUNTIME_LIBRARY Static)
  target_include_directories(${library} PRIVATE ${SEXTANT_INCLUDE_FOLDER})
  target_compile_options(${library} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>")

  set(threads "")  # references and data set-up use all cores
  if(OpenMP_CXX_FOUND)
    set(threads ${OpenMP_CXX_FLAGS})
    target_link_libraries(${library} PRIVATE ${OpenMP_CXX_LIBRARIES})
  endif()
  set_source_files_properties(${kernel_files} ${library_sources}
      PROPERTIES COMPILE_OPTIONS "${kernel_optimisation};${threads}")
  if(serial_sources)
    sextant_own_objects(${library} baseline "${serial_sources}" ${baseline_flags})
    target_compile_definitions(${library}_baseline PRIVATE SEXTANT_BASELINE)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${library}_baseline>)
  endif()
  sextant_own_cpu(${library})
  foreach(package OPENBLAS FFTW)
    if(library_sources AND ${package}_FOUND)
      target_link_libraries(${library} PRIVATE PkgConfig::${package})
    endif()
  endforeach()
  if(cuda_files)
    target_link_libraries(${library} PRIVATE CUDA::cudart_static)
  endif()
  foreach(model openacc target)
    if(${model}_sources)
      sextant_own_offloading(${library} ${model})
    endif()
  endforeach()
endfunction()
