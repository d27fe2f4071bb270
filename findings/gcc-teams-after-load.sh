#!/usr/bin/env bash
# With OMP_DYNAMIC=true GCC's teams are smaller if the machine was busy in the last 15 minutes.
# libgomp subtracts the 15-minute load average from the number of processors. omp_get_max_threads ignores it.
# Why it matters: the first loops after a build run on one thread. A table that uses omp_get_max_threads reports all threads.
# Instead: OMP_DYNAMIC=false, and omp_get_num_threads within the parallel region that is timed.
# Versions: libgomp1 12.2.0-14+deb12u1. The program answers getloadavg itself, so that the load is known.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libgomp1=12.2.0-14+deb12u1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
unset "${!OMP_@}" "${!GOMP_@}"  # nproc reads these variables, too
[ "$(nproc)" -ge 2 ] || missing "one processor has teams of one in any case"
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH=$lib

cat > team.c << 'END'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static double quarter_hour;  // its load; that of the last minute is none
int getloadavg(double* loads, int count) {
  for (int i = 0; i < count; ++i) loads[i] = i == 2 ? quarter_hour : 0;
  return count;
}
int main(int count, char** arguments) {
  quarter_hour = atof(arguments[1]) * omp_get_num_procs();
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  printf("%s of what is asked for, %s", omp_get_max_threads() == omp_get_num_procs() ? "all" : "a part",
         threads == omp_get_num_procs() ? "all run" : threads == 1 ? "one runs" : "some run");
}
END
gcc -O1 -fopenmp team.c -rdynamic -o team
echo "libgomp of GCC 12.2.0; threads that omp_get_max_threads says, and that run:"
for dynamic in false true; do
  for load in 0 1; do
    found=$(OMP_DYNAMIC=$dynamic ./team $load)
    echo "OMP_DYNAMIC=$dynamic, load of 15 minutes $load a processor: $found"
    expected="all run"; [ $dynamic$load != true1 ] || expected="one runs"
    [ "$found" = "all of what is asked for, $expected" ] || changed "the load no longer decides alone on OMP_DYNAMIC's teams"
  done
done
echo "as stated: the load of the last quarter of an hour takes the team's threads"
