# What turns folders of kernels into registered variants: for the project's own (Registry.cmake) and for those of
# others (SextantKernels.cmake).
#
# <folder>/kernel.cpp defines   std::vector<Kernel> <folder>_kernels()
# <folder>/<model>.<name>.cpp|cu defines   Variant <folder>_<model>_<name>()   (all in namespace sextant)
#
# Path is identity: nothing else names them. A function that is missing is a link error.

# sextant_scan_folders(path…): sets, of all folders together, kernel_files, <model>_sources for each model,
# library_cuda_sources, and the texts of the generated list: declarations, folder_entries, left_out_entries, large_entries. The list
# left_out_lines says for people what is left out. Folders without kernel.cpp and variants are passed over. Where
# folders_lie_in_suites is true, a folder belongs to the suite that its parent folder is named after.
macro(sextant_scan_folders)
  set(kernel_files "")
  set(declarations "")
  set(folder_entries "")
  set(left_out_entries "")
  set(large_entries "")
  set(left_out_lines "")
  foreach(model serial openmp stdpar openacc target cuda library)
    set(${model}_sources "")
  endforeach()
  set(library_cuda_sources "")
  foreach(folder_path ${ARGN})
    get_filename_component(folder ${folder_path} NAME)
    set(folder_suite "")
    if(folders_lie_in_suites)
      get_filename_component(folder_suite ${folder_path} DIRECTORY)
      get_filename_component(folder_suite ${folder_suite} NAME)
      set(folder_suite ", \"${folder_suite}\"")
    endif()
    file(GLOB variant_files CONFIGURE_DEPENDS ${folder_path}/*.*.cpp ${folder_path}/*.*.cu)
    list(SORT variant_files)
    file(GLOB kernel_file CONFIGURE_DEPENDS ${folder_path}/kernel.cpp)
    foreach(file ${variant_files})  # a file that no model claims is a mistake, not a variant to ignore
      get_filename_component(base ${file} NAME_WLE)
      if(NOT base MATCHES "^(serial|openmp|stdpar|openacc|target|cuda|library)\\.[a-z0-9_]+$")
        message(FATAL_ERROR "${file}: a variant's file is named <model>.<name>.cpp or .cu, with <model> one of "
                            "serial, openmp, stdpar, openacc, target, cuda, library and <name> of a-z, 0-9 and _")
      elseif(NOT kernel_file)
        message(FATAL_ERROR "${file}: its folder has no kernel.cpp")
      endif()
    endforeach()
    if(kernel_file)
      list(APPEND kernel_files ${kernel_file})
      sextant_scan_variants()
    endif()
  endforeach()
endmacro()

# Part of the above: the variants of one folder, in the order of models, then of names. One that is meant for arrays that no cache holds
# says so in its file's first line, `// sizes: large`.
macro(sextant_scan_variants)
  string(APPEND declarations "std::vector<Kernel> ${folder}_kernels();\n")
  set(variants "")
  foreach(model serial openmp stdpar openacc target cuda library)
    foreach(file ${variant_files})
      get_filename_component(base ${file} NAME_WLE)
      get_filename_component(extension ${file} LAST_EXT)
      if(NOT base MATCHES "^${model}\\.([a-z0-9_]+)$")
        continue()
      endif()
      set(name ${CMAKE_MATCH_1})
      file(STRINGS ${file} first_line LIMIT_COUNT 1)
      if(first_line STREQUAL "// sizes: large")
        string(APPEND large_entries "      {\"${folder}\", \"${model}.${name}\"},\n")
      endif()
      set(needs ${model})
      if(model STREQUAL library AND extension STREQUAL .cu)
        set(needs cuda)
      elseif(model STREQUAL library AND name MATCHES "^(openblas|fftw)")
        set(needs ${CMAKE_MATCH_1})
      elseif(model STREQUAL library AND name STREQUAL parallel)  # libstdc++'s parallel mode
        set(needs openmp)
      endif()
      string(TOUPPER ${needs} needs)
      if(SEXTANT_HAVE_${needs})
        if(folders_lie_in_suites AND model MATCHES "^(openacc|target)$")  # in a library of the folder's, opened when used
          string(APPEND variants "{\"${model}.${name}\", Model::${model}, nullptr}, ")
        else()
          string(APPEND declarations "Variant ${folder}_${model}_${name}();\n")
          string(APPEND variants "{\"${model}.${name}\", Model::${model}, ${folder}_${model}_${name}}, ")
        endif()
        if(model STREQUAL library AND extension STREQUAL .cu)
          list(APPEND library_cuda_sources ${file})
        else()
          list(APPEND ${model}_sources ${file})
        endif()
      else()
        string(APPEND left_out_entries
               "      {\"${folder}\", \"${model}.${name}\", R\"(${SEXTANT_WHY_NOT_${needs}})\"},\n")
        list(APPEND left_out_lines "${folder} ${model}.${name}: ${SEXTANT_WHY_NOT_${needs}}")
      endif()
    endforeach()
  endforeach()
  string(APPEND folder_entries "      {\"${folder}\", ${folder}_kernels, {${variants}}${folder_suite}},\n")
endmacro()

# A .cu whose instructions one generation of GPUs alone has says so in its first line, `// architecture: 90a`: where the
# build is for compute capability 9.0, that file's machine code is for 9.0a; for others it is compiled as all files are,
# without those instructions, and the variant says at run time why it cannot run.
#
# sextant_specific_sources(generation sources out): which of the sources say so. sextant_specific_architectures(generation
# out): what they are compiled for.
function(sextant_specific_sources generation sources out)
  set(found "")
  foreach(file ${sources})
    file(STRINGS ${file} first_line LIMIT_COUNT 1)
    if(first_line STREQUAL "// architecture: ${generation}a")
      list(APPEND found ${file})
    endif()
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
function(sextant_specific_architectures generation out)
  set(architectures ${CMAKE_CUDA_ARCHITECTURES})
  list(TRANSFORM architectures REPLACE "^${generation}(-real)?$" "${generation}a-real")
  if(generation IN_LIST CMAKE_CUDA_ARCHITECTURES)
    list(APPEND architectures ${generation}-virtual)  # what a later GPU's driver compiles
  endif()
  set(${out} ${architectures} PARENT_SCOPE)
endfunction()

# Flags by role. Sanitizers look at what is computed, not at how fast: with -O1 their build takes half the time.
if(SEXTANT_SANITIZE)
  set(baseline_optimisation -O1)
  set(kernel_optimisation -O1)
else()
  set(baseline_optimisation -O2)
  set(kernel_optimisation -O3)
endif()
set(baseline_flags ${baseline_optimisation} ${SEXTANT_ALIGNED_LOOPS})
# Nothing here reads errno, and a root that may set it does not vectorise; omp simd asks for no thread.
set(native_flags ${kernel_optimisation} ${SEXTANT_ALIGNED_LOOPS} -march=${SEXTANT_CPU_ARCH} -fno-math-errno -fopenmp-simd)
if(SEXTANT_CPU_LEVELS)  # each library has its own (CpuLevels.cmake)
  list(REMOVE_ITEM native_flags -march=${SEXTANT_CPU_ARCH})
endif()

# sextant_serial_flags(file…): the flags of serial variants, the baselines' or the others'.
function(sextant_serial_flags)
  foreach(file ${ARGN})
    get_filename_component(base ${file} NAME_WLE)
    if(base MATCHES "^serial\\.baseline")
      set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${baseline_flags}")
    else()
      set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${native_flags}")
    endif()
  endforeach()
endfunction()
