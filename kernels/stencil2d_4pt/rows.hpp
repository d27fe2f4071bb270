// How threads share the 2-D stencil: groups of neighbouring rows that are computed side by side, so that each
// row of b comes from the L2 cache hardly more than once instead of three times.
#pragma once

#include <cstring>

#include "suite/choices.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant::stencil2d_4pt {

using RowsTogether = Choices<1, 2, 4, 8>;

// All rows in groups of `rows_together`, to be called by every thread of a parallel region; inner<rows>(y)
// computes that many rows from y on, all but their first and last elements.
template <typename T, typename Inner>
void share_rows(const Call& call, int rows_together, Inner inner) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const auto copy = [=](std::int64_t begin, std::int64_t count) {
    std::memcpy(c + begin, b + begin, static_cast<std::size_t>(count) * sizeof(T));
  };
  RowsTogether::with(rows_together, [&]<int rows>() {
#pragma omp for schedule(static)
    for (std::int64_t top = 0; top < n; top += rows) {
      const std::int64_t bottom = top + rows < n ? top + rows : n;
      if (top > 0 && top + rows < n)
        inner.template operator()<rows>(top);
      else
        for (std::int64_t y = top; y < bottom; ++y)
          if (y > 0 && y < n - 1)
            inner.template operator()<1>(y);
          else
            copy(y * n, n);
      for (std::int64_t y = top; y < bottom; ++y) {
        copy(y * n, 1);
        copy(y * n + n - 1, 1);
      }
    }
  });
}

}  // namespace sextant::stencil2d_4pt
