# What turns folders of kernels into registered variants: for the project's own (Registry.cmake) and for those of
# others (SextantKernels.cmake).
#
# <folder>/kernel.cpp defines   std::vector<Kernel> <folder>_kernels()
# <folder>/<model>.cpp|cu defines   std::vector<Variant> <folder>_<model>()   (all in namespace sextant)
# <folder>/<model>.<part>.cpp|cu, where a model has several files, defines   std::vector<Variant> <folder>_<model>_<part>()
# <folder>/serial.cpp defines   std::vector<Variant> SEXTANT_SERIAL(<folder>)()   and is compiled twice (suite/compilation.hpp)
# <folder>/library.cu defines   std::vector<Variant> <folder>_library_cu()
#
# Path is identity: nothing else names them. A function that is missing is a link error. Which variants a file has is read in it, at
# `.name = "…"` and `named("…"`: of offloaded models this is known before their library is opened, of those that are left out it is
# all that is known. tests/registry/registry_test.cpp holds it against what the functions return.

# sextant_scan_folders(path…): sets, of all folders together, kernel_files, <model>_sources for each model,
# library_cuda_sources, and the texts of the generated list: declarations, folder_entries, left_out_entries. The list
# left_out_lines says for people what is left out. Folders without kernel.cpp and variants are passed over. Where
# folders_lie_in_suites is true, a folder belongs to the suite that its parent folder is named after.
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
    foreach(file ${variant_files})  # a file that no model claims is a mistake, not a variant to ignore
      get_filename_component(base ${file} NAME_WLE)
      if(base MATCHES "^serial\\.")
        message(FATAL_ERROR "${file}: serial variants stand in one serial.cpp, which is compiled twice (suite/compilation.hpp)")
      elseif(NOT base MATCHES "^(serial|(openmp|stdpar|openacc|target|cuda|library)(\\.[a-z0-9_]+)?)$")
        message(FATAL_ERROR "${file}: a file of variants is named <model>.cpp or .cu, or <model>.<part>.cpp or .cu, with <model> one "
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

# sextant_names_in(file out): the names of the variants that a file has, as C++ has a list of texts.
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

# sextant_refuse_old_form(folder_path files): an error if one of the folder's files has the earlier form, in which a file was a variant:
# cuda.tiles.cu defined Variant <folder>_cuda_tiles(). It names each line to change and what to write there.
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
    string(APPEND text "write one serial.cpp, in which std::vector<Variant> SEXTANT_SERIAL(${folder})() returns compiled_here({…}) "
           "(suite/compilation.hpp)\n  files: ${serial_files}\n")
  endif()
  set(library_files ${old_files})
  list(FILTER library_files INCLUDE REGEX "^library\\.(openblas|fftw|parallel).*\\.cpp$")
  if(library_files)
    list(JOIN library_files ", " library_files)
    string(APPEND text "write the package that the file needs into its first line: `// needs: openblas`, fftw or openmp\n  files: ${library_files}\n")
  endif()
  # A pattern of grep -E, then what to write.
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
  message(FATAL_ERROR "${folder_path} has the form of an earlier Sextant, in which a file had one variant. A file now returns the list "
                      "of its variants; docs/how-to/own-folder.md shows the form, `sextant new NAME` writes it. Lines to change:\n${text}")
endfunction()

# Part of the above: the files of one folder, in the order of models, then of names. A file of the library model says in its first line
# which package it needs: `// needs: openblas`, fftw or openmp.
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
      if(model MATCHES "^(openacc|target)$")  # their names are known to a process that does not open their library
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
          if(folders_lie_in_suites AND model MATCHES "^(openacc|target)$")  # in a library of the folder's, opened when used
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
# -march comes with the library. Nothing here reads errno, and a root that may set it does not vectorise; omp simd asks for no thread.
set(native_flags ${kernel_optimisation} ${SEXTANT_ALIGNED_LOOPS} -fno-math-errno -fopenmp-simd)

# sextant_export_lists(file): writes a version script, by which a library of CPU variants exports their lists and keeps its other symbols
# to itself. Its inline functions are made for one processor, so that code for other processors must not be linked with them, nor it
# with theirs. Operators new and delete stay the program's, where a compiler links them into each library.
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
