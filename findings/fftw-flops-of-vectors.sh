#!/usr/bin/env bash
# fftw_flops counts a vector instruction as one operation, so it reports an eighth of the work in float with AVX.
# FFTW's manual ("Using Plans") calls its result an exact count of the floating-point additions, multiplications
# and fused multiply-adds. A transform of 4 points has 16 additions. Plans without SIMD report 16, as do those in
# long double. Plans with AVX report 4 in double and 2 in float.
# Why it matters: GFLOP/s and arithmetic intensity are too low by the vector's length. A processor with longer
# vectors seems to do less work for the same transform, and float seems to do half the work of double.
# Instead: count with a plan that has FFTW_NO_SIMD and is not timed, or use the convention 5 n log2(n).
# Versions: libfftw3-double3, libfftw3-single3, libfftw3-long3 and libfftw3-dev 3.3.10-1.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
[ "$(uname -m)" = x86_64 ] || missing "the counts below are those of AVX"
grep -qw avx /proc/cpuinfo || missing "this processor has no AVX"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in libfftw3-double3 libfftw3-single3 libfftw3-long3 libfftw3-dev; do
  apt-get -qq download "$package=3.3.10-1" > log 2>&1 || missing "Debian 12's $package 3.3.10 is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/$(gcc -print-multiarch)

cat > count.c << 'END'
#include <fftw3.h>
#include <stdio.h>
static void say(const char* what, int flags, double additions, double multiplications, double fused, int transforms) {
  printf("%-11s %-13s %g\n", what, flags & FFTW_NO_SIMD ? "without SIMD:" : "as planned:",
         (additions + multiplications + 2 * fused) / transforms);
}
#define COUNT(fftw, flags, what)                                                                 \
  do {                                                                                           \
    double additions, multiplications, fused;                                                    \
    fftw##_complex* x = fftw##_alloc_complex((size_t)n * (size_t)transforms);                    \
    fftw##_plan plan = fftw##_plan_many_dft(1, &n, transforms, x, NULL, 1, n, x, NULL, 1, n,     \
                                            FFTW_FORWARD, FFTW_ESTIMATE | (flags));              \
    fftw##_flops(plan, &additions, &multiplications, &fused);                                    \
    say(what, flags, additions, multiplications, fused, transforms);                             \
  } while (0)
static void count(int n, int transforms) {
  printf("operations of a transform of %d points\n", n);
  COUNT(fftwl, 0, "long double");
  COUNT(fftw, FFTW_NO_SIMD, "double");
  COUNT(fftw, 0, "double");
  COUNT(fftwf, FFTW_NO_SIMD, "float");
  COUNT(fftwf, 0, "float");
}
int main(void) {
  count(4, 1024);
  count(4096, 1);
}
END
gcc -I"$folder/root/usr/include" count.c -o count -L"$lib" -lfftw3 -lfftw3f -lfftw3l -Wl,-rpath,"$lib"
echo "FFTW 3.3.10 on a processor with AVX"
./count | tee found
diff found - << 'END' || changed "fftw_flops gives other numbers"
operations of a transform of 4 points
long double as planned:   16
double      without SIMD: 16
double      as planned:   4
float       without SIMD: 16
float       as planned:   2
operations of a transform of 4096 points
long double as planned:   190336
double      without SIMD: 190336
double      as planned:   48320
float       without SIMD: 190336
float       as planned:   24160
END
echo "as stated: the same transform has a quarter or an eighth of the operations"
