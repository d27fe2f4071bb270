// The lattice divided along z into slabs of whole planes, one per GPU or rank ("part").
#pragma once

#include "lattice.hpp"
#include "toolbox/share.hpp"

namespace sextant::lbm_d3q15 {

// A slab has two sides: side 0 is towards the lower planes, side 1 towards the higher planes.
inline constexpr int side_count = 2;
inline constexpr int crossing_densities = 5;  // densities per node that cross from one slab to the next

// Returns the direction with number `which`, 0 to 4, among those that move towards a side.
LBM_INLINE constexpr int crossing(int side, int which) {
  for (int k = 0; k < directions; ++k)
    if (along(k, 2) == (side == 0 ? -1 : 1) && which-- == 0) return k;
  return -1;
}

// A slab as a separate box. Planes 1 to `planes` belong to the slab. The two outermost planes are halos,
// which are copies of the neighbours' nearest planes. The box is not periodic along z. No update wraps
// around, because outermost planes are not updated.
struct Slab15 {
  Extents box;
  std::int64_t planes = 0;
  // Index of the neighbouring slab on each side, or -1 if walls end the lattice.
  int neighbour[side_count] = {-1, -1};

  std::int64_t plane() const { return box.x * box.y; }
  std::int64_t nodes() const { return box.count(); }
};

inline Slab15 slab_of(const Problem& problem, int part) {
  const Extents& size = problem.extents;
  const int last = problem.parts - 1;
  Slab15 slab;
  slab.planes = share_of(size.z, problem.parts, part).count;
  slab.box = {size.x, size.y, slab.planes + 2};
  const bool around = periodic(problem, 2);
  if (part > 0 || around) slab.neighbour[0] = part > 0 ? part - 1 : last;
  if (part < last || around) slab.neighbour[1] = part < last ? part + 1 : 0;
  return slab;
}

}  // namespace sextant::lbm_d3q15
