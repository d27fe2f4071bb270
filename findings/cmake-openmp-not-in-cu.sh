#!/usr/bin/env bash
# OpenMP's pragmas in .cu files do nothing, though the target links OpenMP::OpenMP_CXX.
# CMake gives -fopenmp to the .cpp files of the target, but not to nvcc. The host's loops in .cu files become serial.
# Neither CMake nor nvcc warns, because an unknown pragma is no error. A .cpp file of the same target has all threads.
# Why it matters: the CPU's side of a comparison in one .cu file runs on one thread.
# Instead: target_compile_options(... $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fopenmp>), and #error where _OPENMP is missing.
# Versions: CMake 3.25.1 and nvcc 13.0 (both checked below). No GPU is used.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
nvcc=${CUDACXX:-nvcc}
command -v "$nvcc" > /dev/null || missing "there is no nvcc (CUDACXX names one)"
[[ $("$nvcc" --version) == *"release 13.0,"* ]] || missing "nvcc is not of CUDA 13.0"
[[ $(cmake --version 2> /dev/null || true) == "cmake version 3.25.1"* ]] || missing "CMake is not 3.25.1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unset "${!OMP_@}" "${!GOMP_@}" CXXFLAGS CUDAFLAGS

cat > CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(teams LANGUAGES CXX CUDA)
find_package(OpenMP REQUIRED)
add_executable(teams main.cu other.cpp)
target_link_libraries(teams OpenMP::OpenMP_CXX)
if(SAID)
  target_compile_options(teams PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fopenmp>)
endif()
END
cat > team.hpp << 'END'
static int team() {
  int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
  threads += 1;
  return threads;
}
END
printf '#include "team.hpp"\nint other() { return team(); }\n' > other.cpp
cat > main.cu << 'END'
#include <cstdio>
#include "team.hpp"
int other();
int main() { std::printf("the .cu file has %d of 3 threads, the .cpp file %d", team(), other()); }
END
build() {
  { cmake -B "$1" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_COMPILER="$(command -v "$nvcc")" -DCMAKE_CUDA_ARCHITECTURES=90 "${@:2}" &&
    cmake --build "$1"; } > "$1.log" 2>&1 || { tail -3 "$1.log"; missing "the project does not build here"; }
}
build linked
build said -DSAID=ON
linked=$(linked/teams) said=$(said/teams) words=$(grep -ci 'warning' linked.log || true)
echo "CMake 3.25.1, nvcc 13.0; warnings: $words"
echo "OpenMP::OpenMP_CXX linked: $linked"
echo "and -Xcompiler=-fopenmp:   $said"
[ "$linked" = "the .cu file has 1 of 3 threads, the .cpp file 3" ] && [ "$words" = 0 ] ||
  changed "nvcc's files get OpenMP's option, or are warned of"
[ "$said" = "the .cu file has 3 of 3 threads, the .cpp file 3" ] || changed "the option no longer helps"
echo "as stated: linking the target leaves .cu files without OpenMP, and nothing says so"
