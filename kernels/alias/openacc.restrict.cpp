// kernels on pointers that are promised not to overlap.
#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, T* __restrict x, T* __restrict y) {
  // GCC 12 forgets to make room on the device for a counter declared in the loop, and the region aborts.
  std::int64_t i;
#pragma acc kernels present(x [0:n], y [0:n])
  for (i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
}

}  // namespace

Variant alias_openacc_restrict() {
  Variant variant;
  variant.description = "kernels, restrict pointers";
  variant.home = Home::openacc;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
