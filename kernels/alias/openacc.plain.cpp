// kernels on plain pointers: x and y might overlap, as far as the compiler can tell.
#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, T* x, T* y) {
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

Variant alias_openacc_plain() {
  Variant variant;
  variant.description = "kernels, plain pointers";
  variant.home = Home::openacc;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
