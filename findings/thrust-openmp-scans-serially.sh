#!/usr/bin/env bash
# Thrust's OpenMP runs scans, merges and set operations on one thread.
# Its header calls thrust::omp::par the parallel execution policy of the OpenMP system. Transforms, sorts, copy_if
# and unique_copy use all threads. An algorithm without an OpenMP form takes that of the serial system, and neither
# the compiler nor the program says so. Thrust's issue 87 asks for parallel scans; CCCL's pull request 6178 adds them.
# Why it matters: a scan by "Thrust on the CPU with OpenMP" has the speed of one core. A GPU or another library then
# wins by the number of cores. The sort in the same table has all of them.
# Instead: OpenMP's reduction(inscan) for scans (shown below), and count the threads that call the operator.
# Versions: libthrust-dev 1.17.2-2, libgomp1 12.2.0-14+deb12u1. CUDA 13.0's
# Thrust 3.0.1 does the same, but is not run here.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in libthrust-dev=1.17.2-2 libgomp1=12.2.0-14+deb12u1; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH=$lib
unset "${!OMP_@}" "${!GOMP_@}"

cat > threads.cpp << 'END'
#include <omp.h>
#include <thrust/copy.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>
static bool called[4];  // by thread
template <typename Result>
static Result seen(Result result) {
#pragma omp atomic write
  called[omp_get_thread_num()] = true;
  return result;
}
static void show(const char* algorithm) {
  std::printf("%-16s %d of 4 threads\n", algorithm, int(std::count(called, called + 4, true)));
  std::fill(called, called + 4, false);
}
int main() {
  omp_set_num_threads(4);
  using thrust::omp::par;
  const int count = 4000;
  std::vector<int> rising(count), falling(count), one(count), two(2 * count);
  std::iota(rising.begin(), rising.end(), 0);
  std::copy(rising.rbegin(), rising.rend(), falling.begin());
  const auto begin = rising.begin(), end = rising.end();
  const auto negative = [](int x) { return seen(-x); };
  const auto even = [](int x) { return seen(x % 2 == 0); };
  const auto sum = [](int x, int y) { return seen(x + y); };
  const auto less = [](int x, int y) { return seen(x < y); };
  const auto equal = [](int x, int y) { return seen(x == y); };
  thrust::transform(par, begin, end, one.begin(), negative), show("transform");
  thrust::sort(par, falling.begin(), falling.end(), less), show("sort");
  thrust::copy_if(par, begin, end, one.begin(), even), show("copy_if");
  thrust::unique_copy(par, begin, end, one.begin(), equal), show("unique_copy");
  thrust::inclusive_scan(par, begin, end, one.begin(), sum), show("inclusive_scan");
  thrust::exclusive_scan(par, begin, end, one.begin(), 0, sum), show("exclusive_scan");
  thrust::merge(par, begin, end, begin, end, two.begin(), less), show("merge");
  thrust::set_union(par, begin, end, begin, end, two.begin(), less), show("set_union");
  int total = 0;
#pragma omp parallel for reduction(inscan, + : total)
  for (int i = 0; i < count; ++i) {
    total += seen(rising[i]);
#pragma omp scan inclusive(total)
    one[i] = total;
  }
  show("OpenMP's inscan");
}
END
g++ -std=c++17 -O1 -fopenmp -I"$folder/root/usr/include" -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP \
  threads.cpp -o threads
echo "Thrust 1.17.2, thrust::omp::par; threads that call the operator"
nice ./threads | tee found
diff found - << 'END' || changed "other algorithms are parallel or serial"
transform        4 of 4 threads
sort             4 of 4 threads
copy_if          4 of 4 threads
unique_copy      4 of 4 threads
inclusive_scan   1 of 4 threads
exclusive_scan   1 of 4 threads
merge            1 of 4 threads
set_union        1 of 4 threads
OpenMP's inscan  4 of 4 threads
END
echo "as stated: the parallel policy scans and merges on one thread"
