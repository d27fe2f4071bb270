# Turns folders of kernels into registered variants. Registry.cmake uses this for the project's kernels,
# SextantKernels.cmake for kernels outside the source tree.
#
# Each file defines one function in namespace sextant, whose name follows from the file's path:
#   <folder>/kernel.cpp              std::vector<Kernel> <folder>_kernels()
#   <folder>/<model>.cpp|cu          std::vector<Variant> <folder>_<model>()
#   <folder>/<model>.<part>.cpp|cu   std::vector<Variant> <folder>_<model>_<part>()
#   <folder>/serial.cpp              std::vector<Variant> SEXTANT_SERIAL(<folder>)()
#   <folder>/library.cu              std::vector<Variant> <folder>_library_cu()
# The form with <part> is for models with several files. serial.cpp is compiled twice (suite/compilation.hpp).
#
# No other list names the files. A missing function is a link error. CMake reads the names of the variants
# from the source text, at `.name = "…"` and `named("…"`. So the program knows the names of offloaded variants
# before it opens their library. For variants that are left out, their names are all that the program knows.
# tests/registry/registry_test.cpp compares these names with what the functions return.

# sextant_scan_folders(path…) sets these variables for all folders together: kernel_files, <model>_sources for
# each model, library_cuda_sources, and the code of the generated list (declarations, folder_entries,
# left_out_entries). The list left_out_lines is a readable form of left_out_entries. Folders without
# kernel.cpp and without variants are skipped. If folders_lie_in_suites is true, the parent folder's name is
# the suite of a folder.
macro(sextant_scan_folders)
  set(kernel_files "")
  set(declarations "")
  set(folder_entries "")
  set(left_out_entries "")
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
    file(GLOB variant_files CONFIGURE_DEPENDS ${folder_path}/*.cpp ${folder_path}/*.cu)
    list(SORT variant_files)
    set(kernel_file "")
    if(${folder_path}/kernel.cpp IN_LIST variant_files)
      set(kernel_file ${folder_path}/kernel.cpp)
      list(REMOVE_ITEM variant_files ${kernel_file})
    endif()
    sextant_refuse_old_form(${folder_path} "${variant_files}")
    foreach(file ${variant_files})  # a file name without a model is an error
      get_filename_component(base ${file} NAME_WLE)
      if(base MATCHES "^serial\\.")
        message(FATAL_ERROR
            "${file}: serial variants stand in one serial.cpp, which is compiled twice (suite/compilation.hpp)")
      elseif(NOT base MATCHES "^(serial|(openmp|stdpar|openacc|target|cuda|library)(\\.[a-z0-9_]+)?)$")
        message(FATAL_ERROR
            "${file}: a file of variants is named <model>.cpp or .cu, or <model>.<part>.cpp or .cu, with <model> one "
                            "of serial, openmp, stdpar, openacc, target, cuda, library and <part> of a-z, 0-9 and _")
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

# sextant_names_in(file out) sets `out` to the names of the variants in a file, as a C++ list of string
# literals.
function(sextant_names_in file out)
  file(READ ${file} text)
  string(REGEX MATCHALL "(\\.name = |named\\([ \n]*)\"[a-z0-9_]+\"" found "${text}")
  set(names "")
  foreach(one ${found})
    string(REGEX REPLACE ".*\"(.*)\"" "\\1" one "${one}")
    list(APPEND names ${one})
  endforeach()
  if(NOT names)
    message(FATAL_ERROR "${file}: it names no variant: an entry of its list begins with {.name = \"…\" or named(\"…\"")
  endif()
  set(${out} ${names} PARENT_SCOPE)
endfunction()

# sextant_refuse_old_form(folder_path files) stops with an error if a file has the old form, in which each
# file defined one variant. In that form cuda.tiles.cu defines Variant <folder>_cuda_tiles(). The message
# names each line to change and its new text.
function(sextant_refuse_old_form folder_path files)
  get_filename_component(folder ${folder_path} NAME)
  set(old_files "")
  foreach(file ${files})
    get_filename_component(base ${file} NAME_WLE)
    string(REPLACE "." "_" function "${folder}_${base}")
    file(STRINGS ${file} old REGEX "^ *Variant ${function}\\(" LIMIT_COUNT 1)
    if(old)
      get_filename_component(name ${file} NAME)
      list(APPEND old_files ${name})
    endif()
  endforeach()
  if(NOT old_files)
    return()
  endif()

  set(text "")
  set(serial_files ${old_files})
  list(FILTER serial_files INCLUDE REGEX "^serial\\.")
  if(serial_files)
    list(JOIN serial_files ", " serial_files)
    string(APPEND text
        "write one serial.cpp, in which std::vector<Variant> SEXTANT_SERIAL(${folder})() returns compiled_here({…}) "
           "(suite/compilation.hpp)\n  files: ${serial_files}\n")
  endif()
  set(library_files ${old_files})
  list(FILTER library_files INCLUDE REGEX "^library\\.(openblas|fftw|parallel).*\\.cpp$")
  if(library_files)
    list(JOIN library_files ", " library_files)
    string(APPEND text
        "write the package that the file needs into its first line: `// needs: openblas`, fftw or openmp\n  files: ${library_files}\n")
  endif()
  # Each rule is a pattern for grep -E, an @, and the advice for lines that match the pattern.
  foreach(rule
      "^ *Variant ${folder}_(openmp|stdpar|openacc|target|cuda|library)_[a-z0-9_]+\\(@write std::vector<Variant>; set variant.name to the last part of the file's name, and return {variant}"
      "^// sizes: large@write variant.for_large_arrays = true in the function, instead of this line"
      "\\bHome\\b|\\.home\\b@write MemorySpace for Home, MemorySpace::partitioned for Home::ranks, .memory_space for .home"
      "\\.aside\\b@write .excluded_from_ranking"
      "variant\\.(scatter|gather|separable)\\b@write variant.parts.…; a variant with a process for each rank also sets variant.parts.needs_mpi = true"
      "call\\.(ranks|what)\\b@write call.parts.…"
      "call\\.arrays\\[@write call.address(i)"
      "kernel\\.(study|published|report)\\b@write kernel.presentation.…"
      "\"suite/study\\.hpp\"@write \"suite/presentation.hpp\"")
    string(REGEX MATCH "^[^@]*" pattern "${rule}")
    string(REGEX REPLACE "^[^@]*@" "" advice "${rule}")
    execute_process(COMMAND sh -c "grep -nE -- \"$0\" *.cpp *.cu *.hpp *.cuh *.h 2>/dev/null" "${pattern}"
                    WORKING_DIRECTORY ${folder_path} OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT found STREQUAL "")
      string(REGEX REPLACE "(^|\n)([^:\n]*:[0-9]+:) *" "\\1  \\2 " found "${found}")
      string(APPEND text "${advice}\n${found}\n")
    endif()
  endforeach()
  message(FATAL_ERROR
      "${folder_path} has the form of an earlier Sextant, in which a file had one variant. A file now returns the list "
                      "of its variants; docs/how-to/own-folder.md shows the form, `sextant new NAME` writes it. Lines to change:\n${text}")
endfunction()

# Called by sextant_scan_folders for the files of one folder, by model and then by name. If a library model's
# file needs a package, its first line names it: `// needs: openblas`, fftw or openmp.
macro(sextant_scan_variants)
  string(APPEND declarations "std::vector<Kernel> ${folder}_kernels();\n")
  set(entries "")
  foreach(model serial openmp stdpar openacc target cuda library)
    foreach(file ${variant_files})
      get_filename_component(base ${file} NAME_WLE)
      get_filename_component(extension ${file} LAST_EXT)
      get_filename_component(path ${file} NAME)
      if(NOT base MATCHES "^${model}(\\.|$)")
        continue()
      endif()
      sextant_names_in(${file} names)
      if(model MATCHES "^(openacc|target)$")  # a process knows these names without opening the library
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      endif()
      set(needs ${model})
      string(REPLACE "." "_" function "${folder}_${base}")
      if(model STREQUAL library)
        file(STRINGS ${file} first_line LIMIT_COUNT 1)
        if(extension STREQUAL .cu)
          set(needs cuda)
          if(base STREQUAL library)
            string(APPEND function "_cu")
          endif()
        elseif(first_line MATCHES "^// needs: ([a-z]+)$")
          set(needs ${CMAKE_MATCH_1})
        endif()
      endif()
      string(TOUPPER ${needs} needs)
      if(SEXTANT_HAVE_${needs})
        set(halves ${function})
        if(base STREQUAL serial)
          set(halves ${function}_baseline ${function}_native)
        endif()
        foreach(half ${halves})
          set(half_names ${names})
          if(half MATCHES "_serial_baseline$")
            list(FILTER half_names INCLUDE REGEX "^baseline")
          elseif(half MATCHES "_serial_native$")
            list(FILTER half_names EXCLUDE REGEX "^baseline")
          endif()
          list(JOIN half_names "\", \"" half_names)
          if(half_names)
            set(half_names "\"${half_names}\"")
          endif()
          set(make ${half})
          # Offloaded code is in a library of the folder, which a process opens at its first use.
          if(folders_lie_in_suites AND model MATCHES "^(openacc|target)$")
            set(make nullptr)
          else()
            string(APPEND declarations "std::vector<Variant> ${half}();\n")
          endif()
          string(APPEND entries "\n        {\"${path}\", Model::${model}, ${make}, {${half_names}}},")
        endforeach()
        if(model STREQUAL library AND extension STREQUAL .cu)
          list(APPEND library_cuda_sources ${file})
        else()
          list(APPEND ${model}_sources ${file})
        endif()
      else()
        foreach(name ${names})
          string(APPEND left_out_entries
                 "      {\"${folder}\", \"${model}.${name}\", R\"(${SEXTANT_WHY_NOT_${needs}})\", \"${path}\"},\n")
          list(APPEND left_out_lines "${folder} ${model}.${name}: ${SEXTANT_WHY_NOT_${needs}}")
        endforeach()
      endif()
    endforeach()
  endforeach()
  string(APPEND folder_entries "      {\"${folder}\", ${folder}_kernels, {${entries}}${folder_suite}},\n")
endmacro()

# Some .cu files use instructions of a single GPU generation. Their first line says so: `// architecture:
# 90a`. A build for compute capability 9.0 compiles such a file for 9.0a. Other builds compile it like all
# files, without those instructions, and the variant reports at run time why it cannot run.
#
# sextant_specific_sources(generation sources out) sets `out` to the sources with such a first line.
# sextant_specific_architectures(generation out) sets `out` to the architectures for these sources.
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
    list(APPEND architectures ${generation}-virtual)  # PTX, which the driver of a later GPU compiles
  endif()
  set(${out} ${architectures} PARENT_SCOPE)
endfunction()

# Compile flags of baselines and of other kernels. A build with sanitizers checks results, not speed. With -O1
# it takes half the time.
if(SEXTANT_SANITIZE)
  set(baseline_optimisation -O1)
  set(kernel_optimisation -O1)
else()
  set(baseline_optimisation -O2)
  set(kernel_optimisation -O3)
endif()
set(baseline_flags ${baseline_optimisation} ${SEXTANT_ALIGNED_LOOPS})
# sextant_cpu_library adds -march. -fno-math-errno allows vectorization of loops with sqrt, because no code
# here reads errno. -fopenmp-simd enables `omp simd` without threads.
set(native_flags ${kernel_optimisation} ${SEXTANT_ALIGNED_LOOPS} -fno-math-errno -fopenmp-simd)

# sextant_export_lists(file) writes a linker version script for a library of CPU variants. The library exports
# the functions that return the lists of variants and hides its other symbols. Its inline functions are
# compiled for one processor, so no other code may be linked with them. Operators new and delete stay visible,
# so that all code uses those of the program. Some compilers link these operators into each library.
function(sextant_export_lists file)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[{
  global:
    extern "C++" {
      sextant::*_serial_native*;
      sextant::*_openmp*;
      sextant::*_stdpar*;
    };
    sextant_cpu_level;
    _Zn[wa]*;
    _Zd[la]*;
  local:
    *;
};
]])
endfunction()
