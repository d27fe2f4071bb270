// kernels on plain pointers, with the promise that no iteration needs another.
#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, T* x, T* y) {
#pragma acc kernels present(x [0:n], y [0:n])
#pragma acc loop independent
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
}

}  // namespace

Variant alias_openacc_independent() {
  Variant variant;
  variant.description = "kernels with loop independent, plain pointers";
  variant.home = Home::openacc;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
