// As `kernels`, with the promise that no iteration needs another.
#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void once(std::int64_t n, T* a) {
#pragma acc kernels copy(a [0:n])
#pragma acc loop independent
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void twice(std::int64_t n, T* a) {
#pragma acc kernels copy(a [0:n])
  {
#pragma acc loop independent
    for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
#pragma acc loop independent
    for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto loops = increment::loops(call) == 1 ? once<T> : twice<T>;
  loops(call.problem.extents.x, call.array<T>(0));
}

}  // namespace

Variant increment_openacc_kernels_independent() {
  Variant variant;
  variant.description = "kernels with loop independent, one region for all loops; copies on every call";
  variant.home = Home::host;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
