// The talk's first form: what to do with the loops is left to the compiler.
#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void once(std::int64_t n, T* a) {
  // GCC 12 forgets to make room on the device for a counter declared in the loop, and the region aborts.
  std::int64_t i;
#pragma acc kernels copy(a [0:n])
  for (i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void twice(std::int64_t n, T* a) {
  std::int64_t i;
#pragma acc kernels copy(a [0:n])
  {
    for (i = 0; i < n; ++i) a[i] = a[i] + T(1);
    for (i = 0; i < n; ++i) a[i] = a[i] + T(1);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto loops = increment::loops(call) == 1 ? once<T> : twice<T>;
  loops(call.problem.extents.x, call.array<T>(0));
}

}  // namespace

Variant increment_openacc_kernels() {
  Variant variant;
  variant.description = "kernels, one region for all loops; copies on every call";
  variant.home = Home::host;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
