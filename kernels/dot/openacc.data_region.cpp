// As `parallel_loop`, within the data region of the talk: the products never leave the device.
#include "copied_in.hpp"

namespace sextant {
namespace {

template <typename T>
T dot_product(std::int64_t n, const T* a, const T* b, T* c, int gangs) {
  T sum = 0;
#pragma acc data copyin(a [0:n], b [0:n]) create(c [0:n])
  {
#pragma acc parallel loop gang vector present(a [0:n], b [0:n], c [0:n]) vector_length(256)
    for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
#pragma acc parallel loop gang worker vector present(c [0:n]) num_gangs(gangs) num_workers(32) \
    vector_length(32) reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += c[i];
  }
  return sum;
}

template <typename T>
void launch(const Call& call) {
  *call.array<T>(2) = dot_product(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                  static_cast<T*>(call.state), call.tuned<dot::Gangs>().num_gangs);
}

}  // namespace

Variant dot_openacc_data_region() {
  Variant variant;
  variant.description = "the talk's second form: one data region around products and sum";
  variant.home = Home::host;
  variant.tunables = dot::gangs_tunables();
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  dot::keep_products(variant);
  return variant;
}

}  // namespace sextant
