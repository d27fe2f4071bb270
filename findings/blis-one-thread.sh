#!/usr/bin/env bash
# omp_set_num_threads(4) does not reach BLIS: its OpenMP build multiplies on one thread, and OpenBLAS's on four.
# BLIS reads the variables BLIS_NUM_THREADS and OMP_NUM_THREADS. Without them it starts no team, although
# omp_get_max_threads says 4. Both libraries follow OMP_NUM_THREADS=4.
# Why it matters: a sweep over threads in one process measures BLIS on one thread in every row, and the row says 4.
# Instead: set OMP_NUM_THREADS for each process, or call bli_thread_set_num_threads as well.
# Versions: libblis4-openmp 0.9.0-1, libopenblas0-openmp 0.3.21+ds-4, libgomp1 12.2.0-14+deb12u1.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libblis4-openmp=0.9.0-1 libopenblas0-openmp=0.3.21+ds-4 libgomp1=12.2.0-14+deb12u1
          libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH=$lib
unset "${!OMP_@}" "${!GOMP_@}" "${!BLIS_@}" "${!OPENBLAS_@}" GOTO_NUM_THREADS

cat > product.c << 'END'
#include <dirent.h>
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void cblas_dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);
static int threads(void) {  // of this process
  int count = 0;
  DIR* tasks = opendir("/proc/self/task");
  for (struct dirent* task; (task = readdir(tasks));) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}
int main(int count, char** words) {
  enum { n = 512 };
  double* a = malloc(3 * n * n * sizeof(double));
  for (int i = 0; i < 3 * n * n; ++i) a[i] = 1;
  if (count > 1) omp_set_num_threads(4);
  if (count > 2) {
    void (*set)(long) = (void (*)(long))dlsym(RTLD_DEFAULT, words[2]);
    set(4);
  }
  const int most = omp_get_max_threads();
  cblas_dgemm(101, 111, 111, n, n, n, 1, a, n, a + n * n, n, 0, a + 2 * n * n, n);
  printf("omp_get_max_threads says %d, a product has %d\n", most, threads());
}
END
gcc -O1 -fopenmp -c product.c
gcc product.o -rdynamic -o blis "$lib/blis-openmp/libblis.so.4" "$lib/libgomp.so.1" -Wl,-rpath,"$lib/blis-openmp"
gcc product.o -rdynamic -o openblas "$lib/openblas-openmp/libopenblas.so.0" "$lib/libgomp.so.1" \
    -Wl,-rpath,"$lib/openblas-openmp"
{
  echo "omp_set_num_threads(4)"
  echo "OpenBLAS 0.3.21: $(./openblas set)"
  echo "BLIS 0.9.0:      $(./blis set)"
  echo "OMP_NUM_THREADS=4"
  echo "OpenBLAS 0.3.21: $(OMP_NUM_THREADS=4 ./openblas)"
  echo "BLIS 0.9.0:      $(OMP_NUM_THREADS=4 ./blis)"
  echo "omp_set_num_threads(4) and bli_thread_set_num_threads(4)"
  echo "BLIS 0.9.0:      $(./blis set bli_thread_set_num_threads)"
} | tee found
diff found - << 'END' || changed "the two libraries take their threads from elsewhere"
omp_set_num_threads(4)
OpenBLAS 0.3.21: omp_get_max_threads says 4, a product has 4
BLIS 0.9.0:      omp_get_max_threads says 4, a product has 1
OMP_NUM_THREADS=4
OpenBLAS 0.3.21: omp_get_max_threads says 4, a product has 4
BLIS 0.9.0:      omp_get_max_threads says 4, a product has 4
omp_set_num_threads(4) and bli_thread_set_num_threads(4)
BLIS 0.9.0:      omp_get_max_threads says 4, a product has 4
END
echo "as stated: BLIS does not follow omp_set_num_threads"
