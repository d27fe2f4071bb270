# Libraries of kernels outside the project's tree, by find_package(sextant).
#
# sextant_add_kernels(name folder…) makes <name>.sextant.so of folders as kernels/ has them (CONTRIBUTING.md), for
# `sextant run --load`: with the flags by role that the project's own kernels have, and with the models that this
# machine can build. It says which variants are left out, and why.
include(${CMAKE_CURRENT_LIST_DIR}/KernelFolder.cmake)
set(SEXTANT_CMAKE_FOLDER ${CMAKE_CURRENT_LIST_DIR})

# sextant_own_openacc(name): the variants of openacc_sources as a shared library, linked by the compiler that offloads.
macro(sextant_own_openacc name)
  set(openacc_objects "")
  foreach(file ${openacc_sources})
    get_filename_component(base ${file} NAME)
    get_filename_component(folder_path ${file} DIRECTORY)
    get_filename_component(folder ${folder_path} NAME)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.openacc/${folder}.${base}.o)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}.openacc)
    add_custom_command(OUTPUT ${object}
      COMMAND ${openacc_compiler} -std=c++20 -fPIC -I${SEXTANT_INCLUDE_FOLDER} ${openacc_compile} -MD -MF ${object}.d -c ${file} -o ${object}
      DEPENDS ${file} DEPFILE ${object}.d VERBATIM COMMENT "Compiling ${folder}/${base} for OpenACC")
    list(APPEND openacc_objects ${object})
  endforeach()
  set(openacc_library ${CMAKE_CURRENT_BINARY_DIR}/lib${name}_openacc.so)
  add_custom_command(OUTPUT ${openacc_library}
    COMMAND ${openacc_compiler} -shared ${openacc_link} -Wl,-soname,lib${name}_openacc.so ${openacc_objects} -o ${openacc_library}
    DEPENDS ${openacc_objects} VERBATIM COMMENT "Linking ${name}'s OpenACC variants")
  add_custom_target(${name}_openacc_build DEPENDS ${openacc_library})
  add_dependencies(${name} ${name}_openacc_build)
  add_library(${name}_openacc SHARED IMPORTED)
  set_target_properties(${name}_openacc PROPERTIES IMPORTED_LOCATION ${openacc_library} IMPORTED_SONAME lib${name}_openacc.so)
  target_link_libraries(${name} PRIVATE ${name}_openacc)
  set_target_properties(${name} PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
endmacro()

function(sextant_add_kernels library)
  set(folders "")
  foreach(folder ${ARGN})
    get_filename_component(folder ${folder} ABSOLUTE)
    list(APPEND folders ${folder})
  endforeach()
  sextant_scan_folders(${folders})
  if(NOT kernel_files)
    message(FATAL_ERROR "sextant_add_kernels(${library}): no kernel.cpp in ${ARGN}. `sextant new NAME` writes a folder.")
  endif()
  foreach(line ${left_out_lines})
    message(STATUS "${library}: left out ${line}")
  endforeach()

  set(compiler "${SEXTANT_COMPILER_SERIAL}")
  set(flags "serial ${SEXTANT_FLAGS_SERIAL}")
  if(openmp_sources)
    string(APPEND flags "; openmp ${SEXTANT_FLAGS_OPENMP}")
  endif()
  set(cuda_files ${cuda_sources} ${library_cuda_sources})
  set(plugin_cuda 0)
  if(cuda_files)
    string(APPEND flags "; cuda ${SEXTANT_COMPILER_CUDA} ${SEXTANT_FLAGS_CUDA}")
    set(plugin_cuda 1)
  endif()
  set(parts "")
  if(openacc_sources)
    string(APPEND flags "; openacc ${SEXTANT_COMPILER_OPENACC} ${SEXTANT_FLAGS_OPENACC}")
    set(parts lib${library}_openacc.so)
  endif()
  set(list_file ${CMAKE_CURRENT_BINARY_DIR}/${library}.list.cpp)
  configure_file(${SEXTANT_CMAKE_FOLDER}/plugin_list.cpp.in ${list_file} @ONLY)

  add_library(${library} MODULE ${list_file} ${kernel_files} ${serial_sources} ${openmp_sources} ${library_sources} ${cuda_files})
  set_target_properties(${library} PROPERTIES OUTPUT_NAME ${library}.sextant PREFIX "" SUFFIX ".so"
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF CUDA_STANDARD 20
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON
    CUDA_SEPARABLE_COMPILATION OFF CUDA_RUNTIME_LIBRARY Static)
  target_include_directories(${library} PRIVATE ${SEXTANT_INCLUDE_FOLDER})
  target_compile_options(${library} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;--extended-lambda>")

  set(threads "")  # references and data set-up use all cores
  if(OpenMP_CXX_FOUND)
    set(threads ${OpenMP_CXX_FLAGS})
    target_link_libraries(${library} PRIVATE ${OpenMP_CXX_LIBRARIES})
  endif()
  set_source_files_properties(${kernel_files} ${library_sources} PROPERTIES COMPILE_OPTIONS "${kernel_optimisation};${threads}")
  set_source_files_properties(${openmp_sources} PROPERTIES COMPILE_OPTIONS "${native_flags};${threads}")
  sextant_serial_flags(${serial_sources})
  foreach(package OPENBLAS FFTW)
    if(library_sources AND ${package}_FOUND)
      target_link_libraries(${library} PRIVATE PkgConfig::${package})
    endif()
  endforeach()
  if(cuda_files)
    target_link_libraries(${library} PRIVATE CUDA::cudart_static)
  endif()
  if(openacc_sources)
    sextant_own_openacc(${library})
  endif()
endfunction()
