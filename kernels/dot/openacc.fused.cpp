// One loop for product and sum: no array for the products, half the memory traffic, one launch.
#include "copied_in.hpp"

namespace sextant {
namespace {

template <typename T>
T dot_product(std::int64_t n, const T* a, const T* b, int gangs) {
  T sum = 0;
#pragma acc parallel loop gang worker vector copyin(a [0:n], b [0:n]) num_gangs(gangs) num_workers(32) \
    vector_length(32) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  *call.array<T>(2) = dot_product(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                  call.tuned<dot::Gangs>().num_gangs);
}

}  // namespace

Variant dot_openacc_fused() {
  Variant variant;
  variant.description = "one parallel loop with a reduction; both arrays are copied in on every call";
  variant.home = Home::host;
  variant.tunables = dot::gangs_tunables();
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
