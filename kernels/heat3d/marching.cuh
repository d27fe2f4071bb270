// What the sweeps that march along z share: `march` (and with it `skewed`), `bulk`, `temporal`. A launch has tiles
// along x and y and splits the planes into parts along z; a block marches through the planes of its part.
#pragma once

#include "point.cuh"
#include "toolbox/cuda/overlap.cuh"

namespace sextant::heat3d {

// Blocks of a kernel that the device holds at once, `waves` times.
template <typename Kernel>
std::int64_t blocks_of_waves(int waves, Kernel kernel, int threads, std::size_t shared_bytes) {
  int resident = 1;  // of a multiprocessor
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared_bytes);
  return std::int64_t{waves} * std::max(resident, 1) * multiprocessors();
}

// Planes of a part, where `blocks` blocks share `planes` planes of `tiles` tiles each.
inline std::int64_t planes_of_part(std::int64_t planes, std::int64_t tiles, std::int64_t blocks) {
  const std::int64_t parts = std::max<std::int64_t>(1, blocks / tiles);
  return (planes + parts - 1) / parts;
}

// A block's part of a sweep from u to v, planes [begin, end), `plane` apart, in the direction in which it marches.
// Parts march up and down by turns, so that two that meet read the planes of both at the same time, and a sweep
// begins where the last one ended; `turn` (0 or 1) says where that begins. Down is up in the mirrored box: u and v
// then lead to the box's last plane, and `plane` is negative.
template <typename T>
__device__ __forceinline__ void march_by_turns(const Box& box, int turn, int& begin, int& end,
                                               std::int64_t& plane, const T* __restrict__& u,
                                               T* __restrict__& v) {
  if ((blockIdx.z + static_cast<unsigned>(turn)) & 1) {
    const int mirrored = box.z - end;
    end = box.z - begin;
    begin = mirrored;
    u += (box.z - 1) * plane;
    v += (box.z - 1) * plane;
    plane = -plane;
  }
}

}  // namespace sextant::heat3d
