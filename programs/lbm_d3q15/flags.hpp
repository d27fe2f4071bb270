// Checks the flags of solid nodes on the host. Also computes from them the links, which are bit masks of
// solid neighbours.
#pragma once

#include <algorithm>
#include <cstdio>
#include <limits>

#include "lattice.hpp"

namespace sextant::lbm_d3q15 {

inline constexpr std::int64_t all_allowed = std::numeric_limits<std::int64_t>::max();

// Returns why the flag of node `first_wrong` is invalid, or null if it equals all_allowed. The text remains
// valid until the thread's next call.
inline const char* describe_flag(const Problem& problem, std::int64_t first_wrong) {
  if (first_wrong == all_allowed) return nullptr;
  static thread_local char text[200];
  const Extents& size = problem.extents;
  const long long x = first_wrong % size.x, y = first_wrong / size.x % size.y,
                  z = first_wrong / (size.x * size.y);
  if (on_open_boundary(problem, x, y, z))
    std::snprintf(text, sizeof text,
                  "node (%lld, %lld, %lld) lies on an open boundary, where flags must be 1 (solid): "
                  "close the box there, or choose a scene that is periodic along that axis",
                  x, y, z);
  else
    std::snprintf(text, sizeof text, "the flag of node (%lld, %lld, %lld) is neither 0 (fluid) nor 1 (solid)",
                  x, y, z);
  return text;
}

// Returns null, or why the flags cannot be used.
template <typename T>
static const char* refuse_flags(const Problem& problem, const T* flags) {
  const Extents& size = problem.extents;
  std::int64_t first_wrong = all_allowed;
#pragma omp parallel for collapse(2) schedule(static) reduction(min : first_wrong)
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < size.x; ++x) {
        const std::int64_t i = (z * size.y + y) * size.x + x;
        if (!allowed(flags[i], on_open_boundary(problem, x, y, z))) first_wrong = std::min(first_wrong, i);
      }
  return describe_flag(problem, first_wrong);
}

template <typename T>
static void make_links(const Extents& size, const T* flags, Links* links) {
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < size.x; ++x)
        links[(z * size.y + y) * size.x + x] = links_of(flags, size.x, size.y, size.z, x, y, z);
}

}  // namespace sextant::lbm_d3q15
