#!/usr/bin/env bash
# A program that links GSL before OpenBLAS runs GSL's plain loops under OpenBLAS's names.
# `gsl-config --libs` has -lgslcblas, which defines every cblas_ function. The first library of the link line wins.
# OpenBLAS is loaded and answers openblas_get_config, but its product is not called. No tool warns.
# Why it matters: the library in a comparison is one thread of simple loops, and the results file says OpenBLAS.
# Instead: link OpenBLAS first, or ask dladdr which file contains cblas_dgemm and record that with the result.
# Versions: libgsl-dev 2.7.1+dfsg-5+deb12u1, libopenblas0-pthread 0.3.21+ds-4.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libgsl-dev=2.7.1+dfsg-5+deb12u1 libgsl27=2.7.1+dfsg-5+deb12u1 libgslcblas0=2.7.1+dfsg-5+deb12u1
          libopenblas0-pthread=0.3.21+ds-4 libopenblas-pthread-dev=0.3.21+ds-4 libgfortran5=12.2.0-14+deb12u1
          libquadmath0=12.2.0-14+deb12u1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH=$lib:$lib/openblas-pthread

cat > product.c << 'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
void cblas_dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);
char* openblas_get_config(void);
extern const char* gsl_version;
enum { n = 384 };
int main(void) {
  double* a = malloc(3 * n * n * sizeof(double));
  for (int i = 0; i < 3 * n * n; ++i) a[i] = 1;
  double best = 1;
  for (int i = 0; i < 5; ++i) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    cblas_dgemm(101, 111, 111, n, n, n, 1, a, n, a + n * n, n, 0, a + 2 * n * n, n);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double took = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    if (took < best) best = took;
  }
  Dl_info where;
  dladdr(dlsym(RTLD_DEFAULT, "cblas_dgemm"), &where);
  printf("GSL %s, %.15s is there; cblas_dgemm is of %s", gsl_version, openblas_get_config(), basename(strdup(where.dli_fname)));
  fprintf(stderr, " (%.1f ms a product of %d)\n", best * 1e3, n);
}
END
read -ra gsl <<< "$(sh root/usr/bin/gsl-config --libs | sed 's/-L[^ ]*//')"
echo "gsl-config says: ${gsl[*]}"
gcc -O1 product.c -o gsl-first -L"$lib" -L"$lib/openblas-pthread" "${gsl[@]}" -lopenblas
gcc -O1 product.c -o openblas-first -L"$lib" -L"$lib/openblas-pthread" -lopenblas "${gsl[@]}"
for order in gsl-first openblas-first; do
  found=$(./$order 2> took)
  echo "$order: $found$(cat took)"
  expected=libgslcblas.so.0; [ $order = gsl-first ] || expected=libopenblas.so.0
  [ "$found" = "GSL 2.7.1, OpenBLAS 0.3.21 is there; cblas_dgemm is of $expected" ] ||
    changed "$order no longer takes cblas_dgemm of $expected"
done
echo "as stated: the link line's order alone decides whose product is run"
