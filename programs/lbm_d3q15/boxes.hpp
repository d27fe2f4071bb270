// How cuda.resident cuts the lattice into boxes, one a multiprocessor.
#pragma once

#include <algorithm>
#include <vector>

#include "flags.hpp"

namespace sextant::lbm_d3q15 {

inline constexpr int most_boxes = 132;  // multiprocessors of an H100 or H200
inline const std::vector<int> box_counts = {1, 2,  3,  4,  5,  6,  7, 8,
                                            9, 10, 11, 12, 16, 22, 32};  // along an axis

struct Boxes {
  Extents sides;  // of a box, in nodes; the last box along an axis may be cut short
  Extents count;  // boxes along each axis
};

// The boxes of at most counts[0] x counts[1] x counts[2].
inline Boxes cut(const Extents& size, const int* counts) {
  const auto up = [](std::int64_t n, std::int64_t parts) { return (n + parts - 1) / parts; };
  const Extents sides = {up(size.x, counts[0]), up(size.y, counts[1]), up(size.z, counts[2])};
  return {sides, {up(size.x, sides.x), up(size.y, sides.y), up(size.z, sides.z)}};
}

// Nodes a thread has, 512 threads a block: 1 or 2.
inline int nodes_per_thread(const Boxes& boxes) { return boxes.sides.count() <= 512 ? 1 : 2; }

// Shared memory of a block: two buffers of 14 slots a node.
inline std::int64_t box_bytes(const Boxes& boxes, ElementType type) {
  return 2 * (directions - 1) * 512 * nodes_per_thread(boxes) * static_cast<std::int64_t>(element_size(type));
}

inline bool fits(const Boxes& boxes) { return boxes.sides.count() <= 1024; }

// What a step of one box costs, in clock cycles of an H200 as counted: a node's operations in double and its
// accesses to shared memory; and the 32-byte sectors that leave the box and arrive, where what crosses along
// x lies in one of its own.
inline double step_cost(const Boxes& boxes) {
  const auto side = [](std::int64_t n, std::int64_t count) {
    return static_cast<double>(count > 1 ? n - 1 : n);
  };
  const Extents &s = boxes.sides, &c = boxes.count;
  const auto x = static_cast<double>(s.x), y = static_cast<double>(s.y), z = static_cast<double>(s.z);
  const double in_x = side(s.x, c.x), in_y = side(s.y, c.y), in_z = side(s.z, c.z);
  const double along_x = 10 * (x - in_x) * y * z;
  const double others = 2 * x * ((y - in_y) * z + (z - in_z) * y) + 8 * x * (y * z - in_y * in_z);
  return 4 * x * y * z + 2 * (along_x + others / 4) + (c.count() > 1 ? 1500 : 0);
}

// The cheapest counts, into counts[0 … 2], of those whose boxes fit into shared memory if there are any.
inline void choose_boxes(const Extents& size, int* counts) {
  double best = 1e300;
  for (const int x : box_counts)
    for (const int y : box_counts)
      for (const int z : box_counts) {
        const int tried[] = {x, y, z};
        if (x * y * z > most_boxes || x > size.x || y > size.y || z > size.z) continue;
        const Boxes boxes = cut(size, tried);
        const double cost = step_cost(boxes) + (fits(boxes) ? 0 : 1e15);
        if (cost < best) best = cost, std::copy(tried, tried + 3, counts);
      }
}

}  // namespace sextant::lbm_d3q15
