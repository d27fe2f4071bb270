#include "loop.hpp"
#include "toolbox/host/reordered.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
#pragma omp parallel
  for (std::int64_t x = 0; x < n; ++x) {
#pragma omp for schedule(static) nowait
    for (std::int64_t y = 0; y < n; ++y) c[y * n + x] = b[y * n + x];
  }
}

}  // namespace simd

}  // namespace

std::vector<Variant> rows_openmp() {
  return {
      named("reordered", reordered_copy()),
      {.name = "simd",
       .description = "threads share the loop down each column",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  };
}

}  // namespace sextant
