// How cuda.resident cuts the lattice into boxes, one a multiprocessor, and which densities cross their sides.
#pragma once

#include <algorithm>
#include <vector>

#include "flags.hpp"

namespace sextant::lbm_d3q15 {

inline constexpr int most_boxes = 132;                      // multiprocessors of an H100 or H200
inline constexpr std::int64_t most_box_bytes = 227 * 1024;  // shared memory of a block there
inline const std::vector<int> box_counts = {1, 2,  3,  4,  5,  6,  7, 8,
                                            9, 10, 11, 12, 16, 22, 32};  // along an axis

struct Boxes {
  Extents sides;  // of a box, in nodes; the last box along an axis may be cut short
  Extents count;  // boxes along each axis

  std::int64_t box_bytes(ElementType type) const {
    return directions * sides.count() * static_cast<std::int64_t>(element_size(type));
  }
};

// The boxes of at most counts[0] x counts[1] x counts[2].
inline Boxes cut(const Extents& size, const int* counts) {
  const auto up = [](std::int64_t n, std::int64_t parts) { return (n + parts - 1) / parts; };
  const Extents sides = {up(size.x, counts[0]), up(size.y, counts[1]), up(size.z, counts[2])};
  return {sides, {up(size.x, sides.x), up(size.y, sides.y), up(size.z, sides.z)}};
}

// What a step of one box costs, in clock cycles of an H200 as counted: a node's 110 operations in double and
// its 30 accesses to shared memory, a crossing density's two accesses to global memory, and the way there.
inline double step_cost(const Boxes& boxes) {
  const auto side = [](std::int64_t n, std::int64_t count) {
    return static_cast<double>(count > 1 ? n - 1 : n);
  };
  const Extents& s = boxes.sides;
  const double nodes = static_cast<double>(s.count());
  const double inside = side(s.x, boxes.count.x) * side(s.y, boxes.count.y) * side(s.z, boxes.count.z);
  const double faces = nodes * (6 - 2 * side(s.x, boxes.count.x) / static_cast<double>(s.x) -
                                2 * side(s.y, boxes.count.y) / static_cast<double>(s.y) -
                                2 * side(s.z, boxes.count.z) / static_cast<double>(s.z));
  return 4 * nodes + 8 * (nodes - inside) + faces + (boxes.count.count() > 1 ? 1500 : 0);
}

// The cheapest counts, into counts[0 … 2], of those whose boxes fit into shared memory if there are any.
inline void choose_boxes(const Extents& size, ElementType type, int* counts) {
  double best = 1e300;
  for (const int x : box_counts)
    for (const int y : box_counts)
      for (const int z : box_counts) {
        const int tried[] = {x, y, z};
        if (x * y * z > most_boxes || x > size.x || y > size.y || z > size.z) continue;
        const Boxes boxes = cut(size, tried);
        const double cost = step_cost(boxes) + (boxes.box_bytes(type) > most_box_bytes ? 1e15 : 0);
        if (cost < best) best = cost, std::copy(tried, tried + 3, counts);
      }
}

// What the kernel knows of a node, in two words: its links below the bits of the directions that arrive from
// another box; and at which ends of its box it lies (bits 0, 2, 4: before x, y, z; 1, 3, 5: after).
struct BoxNode {
  unsigned links, ends;
};

struct BoxTables {
  std::vector<BoxNode> nodes;  // [box][node of the box]; past the lattice's end: solid
  std::vector<int> places;     // [box][node]: its index in the lattice
  // [box][direction][node]: the packet that brings the density which arrives from, or takes the one that
  // leaves along, a direction; only set where it crosses.
  std::vector<int> arriving, leaving;
  int packets = 0;
};

// Where a node of the lattice lies: which box, and which of its nodes.
struct BoxPlace {
  std::int64_t box, node;
};

inline BoxPlace place_in(const Boxes& boxes, std::int64_t x, std::int64_t y, std::int64_t z) {
  const Extents &s = boxes.sides, &c = boxes.count;
  return {(z / s.z * c.y + y / s.y) * c.x + x / s.x, (z % s.z * s.y + y % s.y) * s.x + x % s.x};
}

inline BoxTables make_tables(const Extents& size, const Boxes& boxes, const Links* links) {
  const std::int64_t all = boxes.count.count() * boxes.sides.count(), per_box = boxes.sides.count();
  BoxTables tables;
  tables.nodes.assign(static_cast<std::size_t>(all), {solid_node, 0});
  tables.places.assign(static_cast<std::size_t>(all), 0);
  tables.arriving.assign(static_cast<std::size_t>(directions * all), 0);
  tables.leaving = tables.arriving;
  const auto wrap = [](std::int64_t i, std::int64_t n) { return (i + n) % n; };
  const auto entry = [&](const BoxPlace& at, int k) {
    return static_cast<std::size_t>((at.box * directions + k) * per_box + at.node);
  };
  for (int k = 0; k < directions;
       ++k)  // packets of a direction lie together: neighbours read neighbouring ones
    for (std::int64_t i = 0; i < size.count(); ++i) {
      const std::int64_t x = i % size.x, y = i / size.x % size.y, z = i / (size.x * size.y);
      const BoxPlace here = place_in(boxes, x, y, z);
      const auto own = static_cast<std::size_t>(here.box * per_box + here.node);
      if (k == 0) {
        const Extents& s = boxes.sides;
        const auto end = [](bool at, int bit) { return at ? 1u << bit : 0u; };
        tables.places[own] = static_cast<int>(i);
        tables.nodes[own] = {links[i], end(x % s.x == 0, 0) | end(x % s.x == s.x - 1, 1) |
                                           end(y % s.y == 0, 2) | end(y % s.y == s.y - 1, 3) |
                                           end(z % s.z == 0, 4) | end(z % s.z == s.z - 1, 5)};
      }
      if (links[i] & (solid_node | 1 << k)) continue;
      const BoxPlace from = place_in(boxes, wrap(x - along(k, 0), size.x), wrap(y - along(k, 1), size.y),
                                     wrap(z - along(k, 2), size.z));
      if (from.box == here.box) continue;
      tables.nodes[own].links |= 1u << (16 + k);
      tables.arriving[entry(here, k)] = tables.leaving[entry(from, k)] = tables.packets++;
    }
  return tables;
}

}  // namespace sextant::lbm_d3q15
