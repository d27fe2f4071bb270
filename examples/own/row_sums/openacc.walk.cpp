#include "suite/variant.hpp"

namespace sextant {
namespace {

// A thread has a row: neighbouring threads read elements that are a row apart.
template <typename T>
void launch(const Call& call) {
  const std::int64_t w = call.problem.extents.x, h = call.problem.extents.y;
  const T* a = call.array<const T>(0);
  T* s = call.array<T>(1);
#pragma acc parallel loop gang vector present(a [0:w * h], s [0:h])
  for (std::int64_t y = 0; y < h; ++y) {
    T sum = 0;
#pragma acc loop seq
    for (std::int64_t x = 0; x < w; ++x) sum += a[y * w + x];
    s[y] = sum;
  }
}

}  // namespace

Variant row_sums_openacc_walk() {
  Variant variant;
  variant.memory_space = MemorySpace::openacc;
  variant.description = "a thread a row";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
