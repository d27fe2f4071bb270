// Traits (properties for predictions) of common kinds of kernels.
#pragma once

#include <algorithm>
#include <bit>

#include "suite/kernel.hpp"

namespace sextant {

// Returns the traits of independent items, processed in one pass without data-dependent branches. Loads and
// stores are counted per item; strides are in elements.
constexpr Traits elementwise_traits(double loads, double stores, double stride_read = 1,
                                    double stride_write = 1) {
  return {.loads = loads,
          .stores = stores,
          .stride_read = stride_read,
          .stride_write = stride_write,
          .special_flops = 0,
          .reduction = 0,
          .launches = 1,
          .depth = 1,
          .divergence = 0};
}

// Returns the depth of a tree that sums n terms: log2(n), rounded up, and at least 1.
constexpr double levels(std::int64_t n) {
  return n > 2 ? static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n - 1))) : 1;
}

// Returns the traits of a sum over items, each of which loads `loads` elements.
inline Traits sum_traits(const Problem& problem, double loads) {
  Traits traits =
      elementwise_traits(loads, 1 / static_cast<double>(std::max<std::int64_t>(problem.extents.x, 1)));
  traits.stride_write = Traits::not_known;  // a single result has no stride
  traits.reduction = 1;
  traits.depth = levels(problem.extents.x);
  return traits;
}

// Returns the traits of a star stencil of `points` points with arms of length `radius` along the first `axes`
// axes. Boundary points are copied.
inline Traits star_traits(const Extents& box, int axes, std::int64_t radius, int points) {
  double inner = 1;
  const std::int64_t sides[] = {box.x, box.y, box.z};
  for (int axis = 0; axis < axes; ++axis)
    inner *= static_cast<double>(std::max<std::int64_t>(sides[axis] - 2 * radius, 0));
  const auto all = static_cast<double>(std::max<std::int64_t>(box.count(), 1));
  return elementwise_traits(1 + (points - 1) * inner / all, 1);
}

}  // namespace sextant
