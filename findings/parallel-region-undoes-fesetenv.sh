#!/usr/bin/env bash
# fesetenv in a parallel region has no lasting effect on the first thread with LLVM's OpenMP; with GCC's it has.
# libomp saves the rounding mode and flush-to-zero of the thread that starts a region, and restores them when the region ends.
# Why it matters: a region that turns off flush-to-zero in all threads leaves it on in the first thread.
# Instead: call fesetenv before the region; libomp passes the setting to the other threads.
# Versions: libgomp1 12.2.0-14+deb12u1, libomp5-14 1:14.0.6-12.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
[ "$(uname -m)" = x86_64 ] || missing "the program reads a register of x86-64"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in libgomp1=12.2.0-14+deb12u1 libomp5-14=1:14.0.6-12; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
unset "${!OMP_@}" "${!GOMP_@}" "${!KMP_@}"
lib=$folder/root/usr/lib/$(gcc -print-multiarch)

cat > flushing.c << 'END'
#include <fenv.h>
#include <stdio.h>
#include <xmmintrin.h>
int main(void) {
  _mm_setcsr(_mm_getcsr() | 0x8040); /* flush results and operands */
#ifdef BEFORE
  fesetenv(FE_DFL_ENV);
#endif
#pragma omp parallel
  fesetenv(FE_DFL_ENV);
  fputs((_mm_getcsr() & 0x8040) ? "flushes" : "does not flush", stdout);
}
END
gcc -fopenmp -c flushing.c -o flushing.o
gcc -fopenmp -DBEFORE -c flushing.c -o before.o
gcc flushing.o "$lib/libgomp.so.1" -lm -Wl,-rpath,"$lib" -o gcc-region
gcc flushing.o "$lib/libomp.so.5" -lm -Wl,-rpath,"$lib" -o llvm-region
gcc before.o "$lib/libomp.so.5" -lm -Wl,-rpath,"$lib" -o llvm-before
of_gcc=$(./gcc-region) of_llvm=$(./llvm-region) before=$(./llvm-before)
echo "the first thread, after a region in which all threads call fesetenv(FE_DFL_ENV)"
echo "libgomp 12.2.0:                                  $of_gcc"
echo "libomp 14.0.6:                                   $of_llvm"
echo "libomp 14.0.6, and fesetenv before the region:   $before"
[ "$of_gcc" = "does not flush" ] && [ "$of_llvm" = "flushes" ] && [ "$before" = "does not flush" ] ||
  changed "the two agree, or fesetenv before the region does not help"
echo "as stated: libomp puts back what the first thread had before the region"
