#include <algorithm>

#include "loop.hpp"
#include "rows.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

namespace diagonals {

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

}  // namespace diagonals

namespace tiles {

using needleman_wunsch::Rectangle;

void launch(const Call& call) {
  const auto shape = call.tuned<Rectangle>();
  needleman_wunsch::fill_rectangles(needleman_wunsch::Sequences(call), shape.rows, shape.columns,
                                    [](std::int64_t count, const auto& body) {
#pragma omp parallel for schedule(static)
                                      for (std::int64_t k = 0; k < count; ++k) body(k);
                                    });
}

}  // namespace tiles

}  // namespace

std::vector<Variant> needleman_wunsch_openmp() {
  return {
      {.name = "diagonals",
       .description = "the plain form: one antidiagonal after another, threads over its cells",
       .launch = {.int32 = diagonals::launch}},
      {.name = "tiles",
       .description = "threads over the rectangles of an antidiagonal; each row as a vectorized running "
                      "maximum",
       .tunables =
           tunables<tiles::Rectangle>({{"rows", &tiles::Rectangle::rows, {16, 32, 64, 128, 256}},
                                       {"columns", &tiles::Rectangle::columns, {64, 128, 256, 512, 1024}}}),
       .launch = {.int32 = tiles::launch},
       .adapt = by_name<needleman_wunsch::adapt_rectangle>},
  };
}

}  // namespace sextant
