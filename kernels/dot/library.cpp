// needs: openblas
#include <cblas.h>

#include <algorithm>

#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
T dot_by_openblas(const T* a, const T* b, std::int64_t count) {
  if constexpr (sizeof(T) == 8)
    return cblas_ddot(static_cast<blasint>(count), a, 1, b, 1);
  else
    return cblas_sdot(static_cast<blasint>(count), a, 1, b, 1);
}

// Calls OpenBLAS in chunks, because its lengths are 32-bit integers.
template <typename T>
void launch(const Call& call) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T sum = 0;
  for (std::int64_t begin = 0; begin < n; begin += most)
    sum += dot_by_openblas(a + begin, b + begin, std::min(most, n - begin));
  *call.array<T>(2) = sum;
}

// Calls OpenBLAS for one block at a time in each OpenMP thread. On x86-64, sdot of OpenBLAS 0.3.21 has no
// threads of its own, and ddot has none for up to 10000 elements (kernel/x86_64/sdot.c and ddot.c).
template <typename T>
void launch_blocks(const Call& call) {
  dot::add_blocks<T>(call, dot_by_openblas<T>);
}

}  // namespace

std::vector<Variant> dot_library() {
  return {{.name = "openblas",
           .description = "dot of OpenBLAS, with OpenBLAS's threads; 0.3.21 computes float on one core",
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .thread_library = ThreadLibrary::openblas},
          {.name = "parallel_openblas",
           .description = "dot of OpenBLAS on blocks of 8192 elements, with OpenMP's threads",
           .launch = SEXTANT_FLOAT_DOUBLE(launch_blocks),
           .thread_library = ThreadLibrary::openmp}};
}

}  // namespace sextant
