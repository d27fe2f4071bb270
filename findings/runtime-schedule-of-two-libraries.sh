#!/usr/bin/env bash
# schedule(runtime) without OMP_SCHEDULE assigns single iterations with GCC's library, and blocks with LLVM's.
# OpenMP leaves the default to the implementation: libgomp has dynamic,1 and libomp static. One object file shows both.
# Why it matters: a comparison of two compilers compares two schedules. A short iteration costs less than its assignment.
# Instead: set OMP_SCHEDULE for both, or call omp_set_schedule, and record omp_get_schedule with the result.
# Versions: libgomp1 12.2.0-14+deb12u1, libomp5-14 1:14.0.6-12.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libgomp1=12.2.0-14+deb12u1 libomp5-14=1:14.0.6-12)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
unset "${!OMP_@}" "${!GOMP_@}" "${!KMP_@}"

cat > loop.c << 'END'
#include <omp.h>
#include <stdio.h>
enum { count = 4000 };
int main(void) {
  static int who[count];
#pragma omp parallel for schedule(runtime) num_threads(4)
  for (int i = 0; i < count; ++i) who[i] = omp_get_thread_num();
  int changes = 0, chunk;
  for (int i = 1; i < count; ++i) changes += who[i] != who[i - 1];
  omp_sched_t kind;
  omp_get_schedule(&kind, &chunk);
  kind = (omp_sched_t)(kind & 0xff);
  if (kind == omp_sched_static)
    printf("static, in %d blocks", changes + 1);
  else
    printf("%s, %d iteration at a time", kind == omp_sched_dynamic ? "dynamic" : "another kind", chunk);
}
END
gcc -O1 -fopenmp -c loop.c
gcc loop.o -o by-gcc "$lib/libgomp.so.1" -Wl,-rpath,"$lib"
gcc loop.o -o by-llvm "$lib/libomp.so.5" -Wl,-rpath,"$lib"
gcc_own=$(./by-gcc) llvm_own=$(./by-llvm)
gcc_set=$(OMP_SCHEDULE=static ./by-gcc) llvm_set=$(OMP_SCHEDULE=static ./by-llvm)
echo "4000 iterations, 4 threads, one object file"
echo "libgomp 12.2.0:                       $gcc_own"
echo "libomp 14.0.6:                        $llvm_own"
echo "libgomp 12.2.0, OMP_SCHEDULE=static:  $gcc_set"
echo "libomp 14.0.6, OMP_SCHEDULE=static:   $llvm_set"
[ "$gcc_own" = "dynamic, 1 iteration at a time" ] && [ "$llvm_own" = "static, in 4 blocks" ] &&
  [ "$gcc_set" = "$llvm_own" ] && [ "$llvm_set" = "$llvm_own" ] || changed "the two libraries' defaults are others"
echo "as stated: one schedule is written, two are run"
