#!/usr/bin/env bash
# Loading one library built with -ffast-math splits a team: half of its threads then treat subnormal numbers as zero.
# GCC 12 adds code to such a shared library that sets flush-to-zero in the thread that loads it. Threads made later inherit
# it. Existing OpenMP threads do not. Unloading the library does not restore the setting.
# Why it matters: the arithmetic of a loop depends on the thread that runs the iteration. Results depend on whether a
# parallel region ran before the library was loaded. The speed of code with subnormal numbers changes, too.
# Instead: link without -ffast-math (compiling with it is fine), or save and restore MXCSR around dlopen, or use GCC 13.
# Versions: GCC 12.2.0 (checked below), libgomp1 12.2.0-14+deb12u1.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
[ "$(uname -m)" = x86_64 ] || missing "flush-to-zero is set in this way on x86-64"
[ "$(gcc -dumpfullversion 2> log || true)" = 12.2.0 ] || missing "the compiler is not GCC 12.2.0"
packages=(libgomp1=12.2.0-14+deb12u1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu
unset "${!OMP_@}" "${!GOMP_@}"

echo 'float half(float x) { return x * 0.5f; }' > half.c
gcc -O2 -ffast-math -fPIC -c half.c
gcc -O2 -shared half.o -o linked-without.so
gcc -O2 -ffast-math -shared half.o -o linked-with.so
cat > team.c << 'END'
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
volatile float small = 1e-39f;
static void look(const char* when, int threads) {
  int kept[6];
#pragma omp parallel num_threads(threads)
  kept[omp_get_thread_num()] = small * 1.0f != 0;
  printf(" %s:", when);
  for (int i = 0; i < threads; ++i) printf(" %s", kept[i] ? "kept" : "zero");
}
int main(int count, char** arguments) {
  look("before", 4);
  void* library = dlopen(arguments[1], RTLD_NOW);
  if (!library) return 1;
  look("loaded", 6);
  dlclose(library);
  look("unloaded", 6);
  puts("");
}
END
gcc -O1 -fopenmp team.c -o team
echo "GCC $(gcc -dumpfullversion); what becomes of 1e-39 in each thread:"
without=$(./team ./linked-without.so)
with=$(./team ./linked-with.so)
echo "linked without -ffast-math:$without"
echo "linked with -ffast-math:   $with"
[[ $without != *zero* ]] || changed "linking without the option sets flush-to-zero, too"
[ "$with" = " before: kept kept kept kept loaded: zero kept kept kept zero zero unloaded: zero kept kept kept zero zero" ] ||
  changed "the team is no longer split"
echo "as stated: the loading thread and the new ones lose small numbers, those that were there keep them"
