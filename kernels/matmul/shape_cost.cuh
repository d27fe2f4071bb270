// Which shape of `roles` or `bulk_roles` is done first, by a count of rounds of blocks.
#pragma once

#include "dealt_tiles.cuh"
#include "tiles.cuh"
#include "toolbox/cuda/attributes.cuh"

namespace sextant::matmul {

inline constexpr int roles_depth = 32;  // inner steps of a stage

// A shape, and what it costs: picoseconds a product and multiprocessor.
struct ShapeCost {
  int tile_m, tile_n, parts;
  double cost;
};

struct ShapeRules {
  bool whole_tiles;  // matrices have a tile at least
  bool divides;      // tiles of the last round may be divided
};

// The shape that is done first if a multiprocessor has one block at a time and each takes its share of the products times
// the cost. cost_of(shape): what it costs at this n.
template <std::size_t count, typename Cost>
ShapeCost cheapest_shape(const ShapeCost (&shapes)[count], std::int64_t n, ShapeRules rules, Cost cost_of) {
  const int processors = multiprocessors(), steps = static_cast<int>((n + roles_depth - 1) / roles_depth);
  const ShapeCost* best = shapes;
  double least = 0;
  for (const ShapeCost& shape : shapes) {
    const auto [rows, columns, parts, cost] = shape;
    if (n <= roles_depth * (parts - 1)) continue;  // fewer steps than parts
    if (rules.whole_tiles && n < std::max(rows, columns)) continue;
    const int tiles = tiles_of(n, rows, columns, 1).count();
    const DealtTiles deal =
        rules.divides && parts == 1 ? deal_divided(tiles, steps, processors) : deal_to_clusters(tiles, parts);
    const double time = rounds_of(deal, steps, processors) * rows * columns / parts * cost_of(shape);
    if (least == 0 || time < least) least = time, best = &shape;
  }
  return *best;
}

}  // namespace sextant::matmul
