// Vectorized computation of rows by a prefix maximum. 2 j is added to the scores in column j, so that a gap
// to the left costs nothing. Then a row is the running maximum of the candidates from the row above.
#pragma once

#include <algorithm>

#include "loop.hpp"

namespace sextant::needleman_wunsch {

// The arrays of a call.
struct Sequences {
  std::int64_t n;
  const std::int32_t *a, *b;
  std::int32_t* h;

  explicit Sequences(const Call& call)
      : n(call.problem.extents.x),
        a(call.array<const std::int32_t>(0)),
        b(call.array<const std::int32_t>(1)),
        h(call.array<std::int32_t>(2)) {}
};

// Fills row 0 and column 0.
static void fill_borders(const Sequences& all) {
  for (std::int64_t i = 0; i <= all.n; ++i)
    all.h[i] = all.h[i * (all.n + 1)] = static_cast<std::int32_t>(-2 * i);
}

// Computes columns begin … end - 1 of row i; begin >= 1.
static void fill_row(const Sequences& all, std::int64_t i, std::int32_t begin, std::int32_t end) {
  std::int32_t* row = all.h + i * (all.n + 1);
  const std::int32_t *above = row - (all.n + 1), *b = all.b;
  const std::int32_t letter = all.a[i - 1];
  std::int32_t most = row[begin - 1] + 2 * (begin - 1);
#pragma omp simd reduction(inscan, max : most)
  for (std::int32_t j = begin; j < end; ++j) {
    const std::int32_t both = above[j - 1] + (letter == b[j - 1] ? 2 : -1);
    most = std::max(most, std::max(both, above[j] - 2) + 2 * j);
#pragma omp scan inclusive(most)
    row[j] = most - 2 * j;
  }
}

// Blocked wavefront: computes H in rectangles, one antidiagonal of rectangles after the other.
// for_each(count, body) must call body(k) for 0 <= k < count, in any order.
template <typename ForEach>
static void fill_rectangles(const Sequences& all, std::int64_t height, std::int64_t width,
                            const ForEach& for_each) {
  fill_borders(all);
  const std::int64_t down = (all.n + height - 1) / height, across = (all.n + width - 1) / width;
  for (std::int64_t d = 0; d < down + across - 1; ++d) {
    const std::int64_t first = std::max<std::int64_t>(0, d - across + 1), last = std::min(down - 1, d);
    for_each(last - first + 1, [=, &all](std::int64_t k) {
      const std::int64_t top = (first + k) * height, left = (d - first - k) * width;
      for (std::int64_t i = top; i < std::min(all.n, top + height); ++i)
        fill_row(all, i + 1, static_cast<std::int32_t>(left + 1),
                 static_cast<std::int32_t>(std::min(all.n, left + width) + 1));
    });
  }
}

struct Rectangle {
  int rows = 64, columns = 512;
};

// Chooses smaller rectangles for small problems, so that all threads have work on the longest antidiagonal.
inline void adapt_rectangle(const Problem& problem, Rectangle& shape) {
  if (problem.extents.x < 4096) shape = {32, 128};
}

}  // namespace sextant::needleman_wunsch
