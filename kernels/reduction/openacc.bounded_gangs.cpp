#include "loop.hpp"
#include "suite/choices.hpp"

namespace sextant {
namespace {

using Workers = Choices<8, 16, 32>;

// Every gang adds its part to the sum by a compare-and-swap loop on one address, so there may not be many
// gangs; and within a gang vectors of 32 add up by shuffles, longer ones by a lock in shared memory.
template <typename T, int workers>
T sum_up(std::int64_t n, const T* a, int gangs) {
  T sum = 0;
#pragma acc parallel loop gang worker vector present(a[0:n]) num_gangs(gangs) num_workers(workers) \
    vector_length(32) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  Workers::with(call.tuning[1], [&]<int W>() {
    T* sum = call.array<T>(1);
    *sum = sum_up<T, W>(call.problem.extents.x, call.array<const T>(0), call.tuning[0]);
#pragma acc update device(sum [0:1])
  });
}

}  // namespace

Variant reduction_openacc_bounded_gangs() {
  Variant variant;
  variant.description = "gang worker vector loop with a bounded number of gangs";
  variant.home = Home::openacc;
  variant.tunables = {{"num_gangs", {66, 132, 264, 528}, 264}, {"num_workers", Workers::list(), 32}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
