// The lattice cut along z into slabs of whole planes, one a part.
#pragma once

#include "lattice.hpp"
#include "toolbox/share.hpp"

namespace sextant::lbm_d3q15 {

inline constexpr int side_count = 2;          // 0: towards the lower planes, 1: towards the higher ones
inline constexpr int crossing_densities = 5;  // a node and side

// A density that moves towards a side, `which` of five.
LBM_INLINE constexpr int crossing(int side, int which) {
  for (int k = 0; k < directions; ++k)
    if (along(k, 2) == (side == 0 ? -1 : 1) && which-- == 0) return k;
  return -1;
}

// A part's planes are 1 to `planes` of a box of its own, whose outermost planes are the neighbours' nearest:
// halos. Along z it is not to be taken for periodic: no own plane is an outermost one.
struct Slab15 {
  Extents box;
  std::int64_t planes = 0;
  int neighbour[side_count] = {-1, -1};  // a part, or -1 where walls end the lattice

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
