#include "loop.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < bins; ++b) c[b] = 0;
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < n; ++i)
#pragma omp atomic
      ++c[k[i]];
  }
}

}  // namespace

Variant histogram_openmp_atomic() {
  Variant variant;
  variant.description = "threads share the table and count atomically";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
