// What the sweeps that march along z share: `march` (and with it `skewed`), `bulk`, `temporal`. A launch has tiles
// along x and y and splits the planes into parts along z; a block marches through the planes of its part.
#pragma once

#include "point.cuh"

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

// Where launches overlap: the next one may start, and this one waits until all that the last one wrote is
// there (CUDA C++ Programming Guide, programmatic dependent launch; from compute capability 9.0 on).
__device__ __forceinline__ void wait_for_last_launch() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Whether the tunable `overlap` is on and the device can do it.
inline bool may_overlap(int overlap) { return overlap != 0 && compute_capability() >= 9; }

// Launches a kernel that begins with wait_for_last_launch; `overlap`: before the last one of the stream has
// ended.
template <typename... Parameters, typename... Arguments>
void launch_next(cudaLaunchConfig_t config, bool overlap, void (*kernel)(Parameters...),
                 Arguments... arguments) {
  cudaLaunchAttribute serialised = {};
  serialised.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  serialised.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &serialised;
  config.numAttrs = overlap ? 1 : 0;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace sextant::heat3d
