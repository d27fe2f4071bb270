// The form that one would write first: a region a diagonal.
#include <algorithm>

#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1);
#pragma omp target teams distribute parallel for map(h [0:count])
  for (std::int64_t i = 0; i <= n; ++i) {
    h[i] = static_cast<std::int32_t>(-2 * i);
    h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
  }
}

// Cells (i, d - i).
void fill_diagonal(std::int64_t n, std::int64_t d, const std::int32_t* a, const std::int32_t* b,
                   std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1), first = std::max<std::int64_t>(1, d - n),
                     last = std::min(n, d - 1);
#pragma omp target teams distribute parallel for map(a [0:n], b [0:n], h [0:count])
  for (std::int64_t i = first; i <= last; ++i)
    h[i * (n + 1) + d - i] = needleman_wunsch::cell(n, i, d - i, a[i - 1], b[d - i - 1], h);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  fill_borders(n, call.array<std::int32_t>(2));
  for (std::int64_t d = 2; d <= 2 * n; ++d)
    fill_diagonal(n, d, call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
                  call.array<std::int32_t>(2));
}

}  // namespace

Variant needleman_wunsch_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for, a region a diagonal");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
