// The talk's first form: two kernels regions without a data region around them, so that the products travel
// to the host and back between them. The products' memory on the host is made before the call.
#include "copied_in.hpp"

namespace sextant {
namespace {

template <typename T>
T dot_product(std::int64_t n, const T* a, const T* b, T* c) {
  T sum = 0;
#pragma acc kernels copyin(a [0:n], b [0:n]) copyout(c [0:n])
#pragma acc loop independent
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
  // GCC 12 forgets to make room on the device for a counter declared in the loop, and the region aborts.
  std::int64_t i;
#pragma acc kernels copyin(c [0:n])
  for (i = 0; i < n; ++i) sum += c[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  *call.array<T>(2) = dot_product(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                  static_cast<T*>(call.state));
}

}  // namespace

Variant dot_openacc_kernels() {
  Variant variant;
  variant.description = "the talk's first form: two kernels regions, each with its own copies";
  variant.home = Home::host;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  dot::keep_products(variant);
  return variant;
}

}  // namespace sextant
