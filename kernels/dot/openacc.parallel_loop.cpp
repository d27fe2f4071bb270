// As `kernels`, with parallel loops: the compiler need not find out that they are,
// and the sum is declared a reduction.
#include "copied_in.hpp"

namespace sextant {
namespace {

template <typename T>
T dot_product(std::int64_t n, const T* a, const T* b, T* c, int gangs) {
  T sum = 0;
#pragma acc parallel loop gang vector copyin(a [0:n], b [0:n]) copyout(c [0:n]) vector_length(256)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
#pragma acc parallel loop gang worker vector copyin(c [0:n]) num_gangs(gangs) num_workers(32) \
    vector_length(32) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += c[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  *call.array<T>(2) = dot_product(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                  static_cast<T*>(call.state), call.tuned<dot::Gangs>().num_gangs);
}

}  // namespace

Variant dot_openacc_parallel_loop() {
  Variant variant;
  variant.description = "products, then their sum: two parallel loops, each with its own copies";
  variant.home = Home::host;
  variant.tunables = dot::gangs_tunables();
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  dot::keep_products(variant);
  return variant;
}

}  // namespace sextant
