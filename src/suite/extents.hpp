// Helpers for kernel definitions: array extents for n elements, exact integer roots, unit roundoff.
#pragma once

#include <cmath>

#include "suite/problem.hpp"

namespace sextant {

// Returns the largest r with r*r <= n, exactly for every n >= 0. The loops correct the rounding error of
// std::sqrt.
inline std::int64_t square_root(std::int64_t n) {
  const auto target = static_cast<std::uint64_t>(n);
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  while (root * root > target) --root;
  while ((root + 1) * (root + 1) <= target) ++root;
  return static_cast<std::int64_t>(root);
}

// Returns the largest r with r*r*r <= n, exactly for every n >= 0.
inline std::int64_t cube_root(std::int64_t n) {
  const auto target = static_cast<std::uint64_t>(n);
  auto root = static_cast<std::uint64_t>(std::cbrt(static_cast<double>(n)));
  while (root * root * root > target) --root;
  while ((root + 1) * (root + 1) * (root + 1) <= target) ++root;
  return static_cast<std::int64_t>(root);
}

// Return the extents of `arrays` equal arrays (1D, square or cubic) that together hold at most n elements.
// The extents are zero if n is too small.
template <int arrays>
Extents vector_extents(std::int64_t n) {
  return {n / arrays, 1, 1};
}

template <int arrays>
Extents square_extents(std::int64_t n) {
  const std::int64_t side = square_root(n / arrays);
  return {side, side, 1};
}

template <int arrays>
Extents cube_extents(std::int64_t n) {
  const std::int64_t side = cube_root(n / arrays);
  return {side, side, side};
}

// Returns the largest relative error of rounding to nearest.
constexpr double unit_roundoff(ElementType type) { return type == ElementType::float64 ? 0x1p-53 : 0x1p-24; }

}  // namespace sextant
