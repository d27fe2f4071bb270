#include <algorithm>

#include "loop.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto *a = call.array<const std::int32_t>(0), *b = call.array<const std::int32_t>(1);
  auto* h = call.array<std::int32_t>(2);
  for (std::int64_t i = 0; i <= n; ++i) h[i] = h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
#pragma omp parallel
  for (std::int64_t d = 2; d <= 2 * n; ++d)
#pragma omp for schedule(static)
    for (std::int64_t i = std::max<std::int64_t>(1, d - n); i <= std::min(n, d - 1); ++i)
      h[i * (n + 1) + d - i] = needleman_wunsch::cell(n, i, d - i, a[i - 1], b[d - i - 1], h);
}

}  // namespace

Variant needleman_wunsch_openmp_diagonals() {
  Variant variant;
  variant.description = "the form one writes first: diagonal by diagonal, threads over cells";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
