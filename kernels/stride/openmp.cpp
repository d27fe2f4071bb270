#include "loop.hpp"
#include "toolbox/host/reordered.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, stride = call.problem.parameters[0];
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
#pragma omp parallel
  for (std::int64_t lane = 0; lane < stride; ++lane) {
#pragma omp for simd schedule(static) nowait
    for (std::int64_t i = lane; i < n; i += stride) c[i] = b[i];
  }
}

}  // namespace simd

}  // namespace

std::vector<Variant> stride_openmp() {
  return {
      named("reordered", reordered_copy()),
      {.name = "simd",
       .description = "threads share the loop of each pass over the array",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  };
}

}  // namespace sextant
