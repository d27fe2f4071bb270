#include "blocks.hpp"
#include "loop.hpp"

namespace sextant {
namespace {

namespace blocked {

template <typename T>
void launch(const Call& call) {
  floyd_warshall::blocked<T>(call, [](std::int64_t count, const auto& body) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) body(i);
  });
}

Variant form() {
  Variant variant = floyd_warshall::blocked_variant(
      "blocks of 64 vertices; threads over bands of rows, minima in vector registers");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace blocked

namespace sweeps {

// Step k does not change row k, because d[k][k] is 0. The row is skipped, so that no thread writes what
// others read.
template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* w = call.array<const T>(0);
  T* d = call.array<T>(1);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t at = 0; at < n * n; ++at) d[at] = w[at];
    for (std::int64_t k = 0; k < n; ++k)
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < n; ++i)
        if (i != k) floyd_warshall::relax_row(n, k, i, d);
  }
}

}  // namespace sweeps

}  // namespace

std::vector<Variant> floyd_warshall_openmp() {
  return {
      named("blocked", blocked::form()),
      {.name = "sweeps",
       .description = "the plain form: one sweep over all pairs per intermediate vertex, threads over rows",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(sweeps::launch)},
  };
}

}  // namespace sextant
