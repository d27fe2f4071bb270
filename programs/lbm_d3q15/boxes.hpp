// Division of the lattice into boxes for cuda.resident, one box per multiprocessor.
#pragma once

#include <algorithm>
#include <vector>

#include "flags.hpp"

namespace sextant::lbm_d3q15 {

// Maximum number of boxes along each axis. Some of the boxes may contain no nodes and are then omitted.
struct BoxCounts {
  int boxes_x = 1, boxes_y = 16, boxes_z = 8;
};

inline constexpr int box_threads = 512;  // maximum threads per block
inline const std::vector<int> box_counts = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 22, 32};

struct Boxes {
  // Size of a box in nodes; the last box along an axis may be smaller.
  Extents sides;
  Extents count;  // number of boxes along each axis
};

inline Boxes cut(const Extents& size, const BoxCounts& most) {
  const auto up = [](std::int64_t n, std::int64_t parts) { return (n + parts - 1) / parts; };
  const Extents sides = {up(size.x, most.boxes_x), up(size.y, most.boxes_y), up(size.z, most.boxes_z)};
  return {sides, {up(size.x, sides.x), up(size.y, sides.y), up(size.z, sides.z)}};
}

// Returns the number of nodes per thread, 1 or 2.
inline int nodes_per_thread(const Boxes& boxes) { return boxes.sides.count() <= box_threads ? 1 : 2; }

inline bool fits(const Boxes& boxes) { return boxes.sides.count() <= 2 * box_threads; }

// Returns the bytes of shared memory per block: two buffers of 14 slots per node.
inline std::int64_t box_bytes(const Boxes& boxes, ElementType type) {
  const std::int64_t nodes = box_threads * nodes_per_thread(boxes);
  return 2 * (directions - 1) * nodes * static_cast<std::int64_t>(element_size(type));
}

// Estimated cost of a step of one box, in clock cycles counted on an H200. It sums three terms:
// - 4 cycles per node for its double-precision operations and shared-memory accesses;
// - the 32-byte sectors that leave and enter the box, where each density that crosses along x occupies a
//   separate sector;
// - the latency to another box and back.
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

// Returns the division into at most `most` boxes with the least estimated cost. It prefers divisions whose
// boxes fit in shared memory.
inline BoxCounts cheapest_boxes(const Extents& size, int most) {
  BoxCounts cheapest;
  double least = 1e300;
  for (const int x : box_counts)
    for (const int y : box_counts)
      for (const int z : box_counts) {
        if (x * y * z > most || x > size.x || y > size.y || z > size.z) continue;
        const Boxes boxes = cut(size, {x, y, z});
        const double cost = step_cost(boxes) + (fits(boxes) ? 0 : 1e15);
        if (cost < least) least = cost, cheapest = {x, y, z};
      }
  return cheapest;
}

}  // namespace sextant::lbm_d3q15
