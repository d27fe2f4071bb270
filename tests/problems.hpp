// Problems of about N elements for tests that go through all kernels.
#pragma once

#include <algorithm>
#include <cmath>

#include "suite/kernel.hpp"

namespace sextant {

// N as the kernel takes it; for a kernel that takes any shape, whose N may count planes, an uneven box of
// about N points.
inline Problem problem_of(const Kernel& kernel, std::int64_t n, ElementType type) {
  Problem problem{n, type, {}, kernel.standard_parameters()};
  if (!kernel.shaped) {
    problem.extents = kernel.extents(n);
    return problem;
  }
  const double side = std::cbrt(static_cast<double>(n));
  problem.extents.x = std::max<std::int64_t>(1, std::llround(1.7 * side));
  problem.extents.y = std::max<std::int64_t>(1, std::llround(side / 1.3));
  problem.extents.z = std::max<std::int64_t>(1, n / (problem.extents.x * problem.extents.y));
  return problem;
}

}  // namespace sextant
