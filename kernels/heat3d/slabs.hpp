// Several steps a pass over memory, in slabs of planes that a cache holds: step t of a pass does slab j as
// the planes [j*Z - t*R, (j+1)*Z - t*R), so that whatever it reads was written by step t - 1, and the two
// arrays that the steps alternate between suffice: what step t + 1 has overwritten in earlier slabs, planes
// below j*Z - (t+1)*R, step t no longer reads. Nothing is computed twice. (Time skewing: D. Wonnacott, Using
// time skewing to eliminate idle time due to memory bandwidth and network limitations, IPDPS 2000.)
#pragma once

#include <algorithm>
#include <cstdint>

namespace sextant::heat3d {

// Calls sweep(step, first, last) for planes [first, last) of every step 0 … steps-1 of a box of nz planes, in
// an order in which each call's inputs are ready; `depth` steps a pass, slabs of `slab` planes. A step's
// calls cover every plane once, with 0 <= first < last <= nz.
template <typename SweepPlanes>
void sweep_in_slabs(std::int64_t nz, std::int64_t radius, std::int64_t steps, std::int64_t depth,
                    std::int64_t slab, SweepPlanes sweep) {
  for (std::int64_t start = 0; start < steps; start += depth) {
    const std::int64_t now = std::min(depth, steps - start);
    for (std::int64_t front = 0; front - (now - 1) * radius < nz; front += slab)
      for (std::int64_t t = 0; t < now; ++t) {
        const std::int64_t first = std::max<std::int64_t>(0, front - t * radius),
                           last = std::min(nz, front + slab - t * radius);
        if (first < last) sweep(start + t, first, last);
      }
  }
}

}  // namespace sextant::heat3d
