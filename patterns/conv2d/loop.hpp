// conv2d: every output point is a weighted sum of the (2R+1) x (2R+1) input points around it. Points outside
// the grid are zero.
//
//     for (j = 0; j < n; ++j)
//       for (i = 0; i < n; ++i) {
//         sum = 0;
//         for (b = 0; b < 2R + 1; ++b)
//           for (a = 0; a < 2R + 1; ++a)
//             if (j + b - R and i + a - R are in the grid)
//               sum += w[b][a] * x[j + b - R][i + a - R];
//         y[j][i] = sum;
//       }
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/choices.hpp"
#include "suite/variant.hpp"

namespace sextant::conv2d {

using Radii = Choices<1, 2, 3, 4, 5, 6, 7>;

constexpr std::int64_t radius_of(const Problem& problem) { return problem.parameters[0]; }
// The side length of the array of weights w.
constexpr std::int64_t width_of(const Problem& problem) { return 2 * radius_of(problem) + 1; }

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x, R = radius_of(call.problem), width = 2 * R + 1;
  const T *x = call.array<const T>(0), *w = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t first = std::max<std::int64_t>(0, R - i), last = std::min(width, n + R - i);
      T sum = 0;
      for (std::int64_t b = std::max<std::int64_t>(0, R - j); b < std::min(width, n + R - j); ++b)
        for (std::int64_t a = first; a < last; ++a) sum += w[b * width + a] * x[(j + b - R) * n + i + a - R];
      y[j * n + i] = sum;
    }
}

}  // namespace sextant::conv2d
