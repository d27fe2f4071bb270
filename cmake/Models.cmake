# Finds the tools of each programming model. For each model M it sets SEXTANT_HAVE_<M>, SEXTANT_WHY_NOT_<M>,
# SEXTANT_COMPILER_<M> and SEXTANT_FLAGS_<M>. For each optional library L it sets SEXTANT_HAVE_<L> and
# SEXTANT_WHY_NOT_<L>.
include(CheckLanguage)

# The user may give a reason for switching off a model: -DSEXTANT_CUDA=OFF -DSEXTANT_WHY_OFF="…".
set(SEXTANT_WHY_OFF "" CACHE STRING "Why models are switched off, for the messages; may be empty")
set(why_off "")
if(SEXTANT_WHY_OFF)
  set(why_off " (${SEXTANT_WHY_OFF})")
endif()

set(host_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
set(SEXTANT_HAVE_SERIAL ON)
set(SEXTANT_COMPILER_SERIAL "${host_compiler}")
# Aligns loops, because a loop of a few instructions takes twice as long if it crosses a line of the
# instruction cache.
set(SEXTANT_ALIGNED_LOOPS -falign-functions=64 -falign-loops=64)
list(JOIN SEXTANT_ALIGNED_LOOPS " " aligned_loops)
set(march ${SEXTANT_CPU_ARCH})
if(SEXTANT_CPU_LEVELS)
  list(JOIN SEXTANT_CPU_LEVELS "|" march)  # the environment's cpu.level names the level in use
endif()
set(SEXTANT_FLAGS_SERIAL
    "baseline: -O2; native: -O3 -march=${march} -fno-math-errno -fopenmp-simd; both: ${aligned_loops}")

# OpenMP is used by its variants, for data set-up and for reference results.
find_package(OpenMP COMPONENTS CXX)
if(NOT SEXTANT_OPENMP)
  set(SEXTANT_WHY_NOT_OPENMP "switched off by SEXTANT_OPENMP=OFF")
elseif(NOT OpenMP_CXX_FOUND)
  set(SEXTANT_WHY_NOT_OPENMP "the C++ compiler has no OpenMP")
else()
  set(SEXTANT_HAVE_OPENMP ON)
  set(SEXTANT_COMPILER_OPENMP "${host_compiler}")
  set(SEXTANT_FLAGS_OPENMP "-O3 -march=${march} -fno-math-errno -fopenmp ${aligned_loops}")
endif()

# C++ parallel algorithms. GCC's use TBB, with as many threads as OpenMP.
find_package(TBB QUIET)
if(NOT SEXTANT_STDPAR)
  set(SEXTANT_WHY_NOT_STDPAR "switched off by SEXTANT_STDPAR=OFF")
elseif(NOT TBB_FOUND)
  set(SEXTANT_WHY_NOT_STDPAR "no TBB (Debian: apt-get install libtbb-dev)")
elseif(NOT OpenMP_CXX_FOUND)
  set(SEXTANT_WHY_NOT_STDPAR "the C++ compiler has no OpenMP, whose number of threads it takes")
else()
  set(SEXTANT_HAVE_STDPAR ON)
  set(SEXTANT_COMPILER_STDPAR "${host_compiler}, TBB ${TBB_VERSION}")
  list(JOIN SEXTANT_STDPAR_FLAGS " " more_flags)
  string(STRIP "-O3 -march=${march} -fno-math-errno -fopenmp ${aligned_loops} ${more_flags}" SEXTANT_FLAGS_STDPAR)
endif()

# CUDA: any nvcc on PATH or in CUDACXX.
# Compute capability times ten. All device code must compile for it (OtherGpus.cmake).
set(SEXTANT_OLDEST_GPU 80)
if(NOT SEXTANT_CUDA)
  set(SEXTANT_WHY_NOT_CUDA "switched off by SEXTANT_CUDA=OFF${why_off}")
else()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    find_program(nvidia_smi nvidia-smi)
    set(gpu_capability "")
    if(nvidia_smi)
      execute_process(COMMAND ${nvidia_smi} --query-gpu=compute_cap --format=csv,noheader
                      OUTPUT_VARIABLE gpu_capability ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]+" gpu_capability "${gpu_capability}")
      list(REMOVE_DUPLICATES gpu_capability)
      string(REPLACE "." "" gpu_capability "${gpu_capability}")
    endif()
    set(older_gpus "")
    foreach(capability ${gpu_capability})
      if(capability LESS SEXTANT_OLDEST_GPU)
        list(APPEND older_gpus ${capability})
        list(REMOVE_ITEM gpu_capability ${capability})
      endif()
    endforeach()
    if(older_gpus AND NOT gpu_capability)
      set(SEXTANT_WHY_NOT_CUDA
          "the GPU here is of sm_${older_gpus}, the kernels are for sm_${SEXTANT_OLDEST_GPU} and later; to build for another machine set CMAKE_CUDA_ARCHITECTURES")
    elseif(gpu_capability)
      set(CMAKE_CUDA_ARCHITECTURES ${gpu_capability} CACHE STRING "CUDA architectures: those of the GPUs present")
    else()
      # PTX for the oldest GPU runs on every later GPU. To build for the GPU of another machine, users name
      # its architecture.
      set(CMAKE_CUDA_ARCHITECTURES "${SEXTANT_OLDEST_GPU}" CACHE STRING
          "CUDA architectures: no GPU present, the oldest")
    endif()
  endif()
  check_language(CUDA)
  if(SEXTANT_WHY_NOT_CUDA)
    # the reason is set above
  elseif(NOT CMAKE_CUDA_COMPILER)
    set(SEXTANT_WHY_NOT_CUDA "no nvcc: install the CUDA toolkit, put nvcc on PATH or set CUDACXX")
  else()
    enable_language(CUDA)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know nvcc's flag for C++20
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    find_package(CUDAToolkit REQUIRED)
    set(SEXTANT_HAVE_CUDA ON)
    set(SEXTANT_COMPILER_CUDA "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}")
    set(SEXTANT_FLAGS_CUDA "-O3 for ${CMAKE_CUDA_ARCHITECTURES}")
  endif()
endif()

# Models whose directives a compiler offloads to a GPU. Each is probed with a small program. For each model,
# in lower case, this sets <model>_compiler, and the flags <model>_compile and <model>_link.
#
# sextant_clang_offloading(model) sets the flags for OpenMP offloading with Clang, for the GPUs of the CUDA
# build, unless the user sets flags. Clang takes the device library and the assembler from the CUDA toolkit.
# -fno-math-errno is absent: with it, Clang emits sine and cosine instructions that the GPU does not have.
# LLVM's barrier elimination is off, because it removes a barrier that the code needs
# (docs/reference/target.md): before that barrier, a team's first thread writes the number of threads of a
# parallel region; after it, the other threads read that number. The last two flags promise that no thread
# changes its own OpenMP settings and that no parallel region is nested. A region then starts faster.
macro(sextant_clang_offloading model)
  string(REGEX MATCHALL "[0-9]+" clang_gpus "${CMAKE_CUDA_ARCHITECTURES}")
  if(NOT clang_gpus)
    set(clang_gpus ${SEXTANT_OLDEST_GPU})
  endif()
  list(TRANSFORM clang_gpus PREPEND sm_)
  list(JOIN clang_gpus "," clang_gpus)
  set(clang_offload -fopenmp --offload-arch=${clang_gpus} -Wno-unknown-cuda-version)
  if(CUDAToolkit_BIN_DIR)
    get_filename_component(clang_cuda "${CUDAToolkit_BIN_DIR}" DIRECTORY)
    list(APPEND clang_offload --cuda-path=${clang_cuda})
  endif()
  if(NOT ${model}_compile)
    set(${model}_compile -O3 ${clang_offload} -Wno-unknown-pragmas -Wno-pass-failed
        -mllvm -openmp-opt-disable-barrier-elimination -fopenmp-assume-no-thread-state
        -fopenmp-assume-no-nested-parallelism)
  endif()
  if(NOT ${model}_link)
    set(${model}_link ${clang_offload})
  endif()
endmacro()

# sextant_find_offloading(MODEL language more directive) sets the flags `language` and `more` for GCC, unless
# the user sets flags. `directive` is the directive of the probe program.
macro(sextant_find_offloading MODEL language more directive)
  string(TOLOWER ${MODEL} model)
  set(${model}_compiler ${SEXTANT_${MODEL}_COMPILER})
  if(NOT ${model}_compiler)
    set(${model}_compiler ${CMAKE_CXX_COMPILER})
  endif()
  set(${model}_compile ${SEXTANT_${MODEL}_FLAGS})
  set(${model}_link ${SEXTANT_${MODEL}_LINK_FLAGS})
  execute_process(COMMAND ${${model}_compiler} --version OUTPUT_VARIABLE version ERROR_QUIET)
  if(version MATCHES "clang version ([0-9.]+)")
    set(version ${CMAKE_MATCH_1})
    sextant_clang_offloading(${model})
  else()
    execute_process(COMMAND ${${model}_compiler} -dumpfullversion OUTPUT_VARIABLE version
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT ${model}_compile)
    set(offloaded_optimisation -O3)
    # -O1 compiles faster. With -O1 alone, GCC 12 emits loads that ptxas rejects. `target` keeps -O3, because
    # the test target_frames checks the sizes of its stack frames.
    if(SEXTANT_QUICK_DEVICE_CODE AND model STREQUAL "openacc")
      set(offloaded_optimisation -O1 -fexpensive-optimizations)
    endif()
    # GCC 12's offload linker crashes on a call to a function that is not declared for the device. Early
    # inlining removes such calls.
    set(${model}_compile ${offloaded_optimisation} -fno-math-errno ${language} ${more} --param=early-inlining-insns=200)
  endif()
  if(NOT ${model}_link)
    set(${model}_link ${language} -foffload=nvptx-none -foffload-options=nvptx-none=-misa=${SEXTANT_OPENACC_ISA}
        -foffload-options=nvptx-none=-lm -Wl,-z,notext)
    if(model STREQUAL "target")
      # docs/reference/target.md gives the reason.
      list(APPEND ${model}_link -foffload-options=nvptx-none=-msoft-stack-reserve-local=512)
    endif()
  endif()
  set(probe ${CMAKE_BINARY_DIR}/${model}-probe)
  file(WRITE ${probe}.cpp "int main() { int a[8] = {};\n#pragma ${directive}\n"
       "for (int i = 0; i < 8; ++i) a[i] = i;\nreturn a[7] - 7; }\n")
  execute_process(COMMAND ${${model}_compiler} -std=c++20 ${${model}_compile} ${${model}_link} ${probe}.cpp -o ${probe}
                  RESULT_VARIABLE probe_result OUTPUT_QUIET ERROR_QUIET)
  if(probe_result)
    set(SEXTANT_WHY_NOT_${MODEL}
        "the compiler cannot offload to a GPU (Debian/Ubuntu: install gcc-12-offload-nvptx, or name another by SEXTANT_${MODEL}_COMPILER)")
  else()
    set(SEXTANT_HAVE_${MODEL} ON)
    get_filename_component(compiler_name ${${model}_compiler} NAME)
    set(SEXTANT_COMPILER_${MODEL} "${compiler_name} ${version}")
    string(REPLACE ";" " " SEXTANT_FLAGS_${MODEL} "${${model}_compile} ${${model}_link}")
  endif()
endmacro()

foreach(model OPENACC TARGET)
  if(NOT SEXTANT_${model})
    set(SEXTANT_WHY_NOT_${model} "switched off by SEXTANT_${model}=OFF${why_off}")
  endif()
endforeach()
if(SEXTANT_OPENACC)
  sextant_find_offloading(OPENACC -fopenacc --param=openacc-kernels=decompose "acc parallel loop copy(a)")
endif()
if(SEXTANT_TARGET)
  sextant_find_offloading(TARGET -fopenmp "" "omp target teams distribute parallel for map(from : a)")
endif()

# Libraries to compare with. A missing library removes only its own variants.
set(SEXTANT_HAVE_LIBRARY ON)
set(SEXTANT_COMPILER_LIBRARY "${host_compiler}")
set(SEXTANT_FLAGS_LIBRARY "-O3")
pkg_check_modules(OPENBLAS IMPORTED_TARGET openblas)
if(OPENBLAS_FOUND)
  set(SEXTANT_HAVE_OPENBLAS ON)
else()
  set(SEXTANT_WHY_NOT_OPENBLAS "OpenBLAS is not installed (Debian/Ubuntu: libopenblas-dev)")
endif()
pkg_check_modules(FFTW IMPORTED_TARGET fftw3 fftw3f)
if(FFTW_FOUND)
  set(SEXTANT_HAVE_FFTW ON)
  # Without both libraries, FFTW runs on one thread.
  find_library(SEXTANT_FFTW_THREADS fftw3_omp HINTS ${FFTW_LIBRARY_DIRS})
  find_library(SEXTANT_FFTWF_THREADS fftw3f_omp HINTS ${FFTW_LIBRARY_DIRS})
else()
  set(SEXTANT_WHY_NOT_FFTW "FFTW is not installed (Debian/Ubuntu: libfftw3-dev)")
endif()

# The program sextant-rank uses MPI, which starts one process (rank) for each part of a problem and exchanges
# their messages.
if(NOT SEXTANT_MPI)
  set(SEXTANT_WHY_NOT_MPI "switched off by SEXTANT_MPI=OFF")
else()
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND AND MPIEXEC_EXECUTABLE)
    set(SEXTANT_HAVE_MPI ON)
    string(REGEX REPLACE "[\r\n].*" "" SEXTANT_COMPILER_MPI "${MPI_CXX_LIBRARY_VERSION_STRING}")
    string(REGEX REPLACE ", (package|ident).*" "" SEXTANT_COMPILER_MPI "${SEXTANT_COMPILER_MPI}")
    if(NOT SEXTANT_COMPILER_MPI)
      set(SEXTANT_COMPILER_MPI "MPI ${MPI_CXX_VERSION}")
    endif()
    set(SEXTANT_FLAGS_MPI "started by ${MPIEXEC_EXECUTABLE}")
  else()
    set(SEXTANT_WHY_NOT_MPI "no MPI (Debian/Ubuntu: apt-get install libopenmpi-dev)")
  endif()
endif()

function(sextant_print_models)
  message(STATUS "Sextant ${PROJECT_VERSION} will be built with")
  foreach(model SERIAL OPENMP STDPAR OPENACC TARGET CUDA OPENBLAS FFTW MPI)
    string(TOLOWER ${model} name)
    string(SUBSTRING "${name}          " 0 10 name)
    if(SEXTANT_HAVE_${model})
      message(STATUS "  ${name} on   ${SEXTANT_COMPILER_${model}} ${SEXTANT_FLAGS_${model}}")
    else()
      message(STATUS "  ${name} off  ${SEXTANT_WHY_NOT_${model}}")
    endif()
  endforeach()
endfunction()
