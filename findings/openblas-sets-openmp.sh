#!/usr/bin/env bash
# openblas_set_num_threads(1) also reduces the program's own OpenMP loops to one thread.
# The OpenMP build of OpenBLAS passes the number on to omp_set_num_threads. The pthread build, with the same header and the
# same function, does not.
# Why it matters: an OpenMP loop that is measured after a library on one thread runs on one thread, too.
# Instead: call omp_set_num_threads again after each call, or link the pthread build.
# Versions: libopenblas0-openmp and libopenblas0-pthread 0.3.21+ds-4, libgomp1 12.2.0-14+deb12u1.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libopenblas0-openmp=0.3.21+ds-4 libopenblas0-pthread=0.3.21+ds-4 libgomp1=12.2.0-14+deb12u1
          libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
unset "${!OMP_@}" "${!GOMP_@}" OPENBLAS_NUM_THREADS

cat > set.c << 'END'
#include <omp.h>
#include <stdio.h>
void openblas_set_num_threads(int);
int openblas_get_num_threads(void);
static int team(void) {
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}
int main(void) {
  omp_set_num_threads(4);
  printf("a team has %d threads", team());
  openblas_set_num_threads(1);
  printf(", and %d after openblas_set_num_threads(1)\n", team());
}
END
for kind in openmp pthread; do
  gcc -O1 -fopenmp set.c -o "set-$kind" "$lib/openblas-$kind/libopenblas.so.0" -Wl,-rpath-link,"$lib"
  found=$(LD_LIBRARY_PATH=$lib/openblas-$kind:$lib "./set-$kind")
  echo "OpenBLAS 0.3.21, $kind: $found"
  expected=4; [ $kind = pthread ] || expected=1
  [ "$found" = "a team has 4 threads, and $expected after openblas_set_num_threads(1)" ] ||
    changed "the $kind build sets $expected no longer"
done
echo "as stated: the OpenMP build alone changes the caller's teams"
