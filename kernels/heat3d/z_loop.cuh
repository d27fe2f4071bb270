// A thread walks along z through `planes` planes: the kernel of `z_loop`, which reads every operand from global
// memory, and of `z_loop_reg`, which holds the points before and behind in a queue of registers (`queued`).
#pragma once

#include "point.cuh"

namespace sextant::heat3d {

template <int radius, Weights weights, bool queued, typename T>
__global__ void walk(Box box, int planes, const T* __restrict__ u, T* __restrict__ v) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= box.x) return;
  for (int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); y < box.y;
       y += gridDim.y * blockDim.y)
    for (int first = static_cast<int>(blockIdx.z) * planes; first < box.z; first += gridDim.z * planes) {
      const std::int64_t row = box.x;
      const bool rim = in_rim<radius>(x, box.x) || in_rim<radius>(y, box.y);
      const T* const column = u + y * row + x;
      T queue[2 * radius + 1];  // z-R … z+R; beyond the box: what is never used
      if (queued)
#pragma unroll
        for (int k = 0; k < 2 * radius; ++k) {
          const int z = first + k - radius;
          queue[k + 1] = z >= 0 && z < box.z ? column[z * box.plane] : T{};
        }
      for (int z = first; z < min(first + planes, box.z); ++z) {
        const T* const own = column + z * box.plane;
        if (queued) {
#pragma unroll
          for (int k = 0; k < 2 * radius; ++k) queue[k] = queue[k + 1];
          queue[2 * radius] = z + radius < box.z ? own[radius * box.plane] : T{};
        }
        const T centre = queued ? queue[radius] : own[0];
        v[z * box.plane + y * row + x] =
            rim || in_rim<radius>(z, box.z)
                ? centre
                : weighted<radius, weights>(
                      centre, [&](int k) { return own[-k]; }, [&](int k) { return own[k]; },
                      [&](int k) { return own[-k * row]; }, [&](int k) { return own[k * row]; },
                      [&](int k) { return queued ? queue[radius - k] : own[-k * box.plane]; },
                      [&](int k) { return queued ? queue[radius + k] : own[k * box.plane]; });
      }
    }
}

struct Walkers {
  int block_x = 32, block_y = 8, planes = 64;
};

inline const char* refuse_walk(const Problem&, const Walkers& walkers) {
  return refuse_block({}, walkers.block_x, walkers.block_y, 1);
}

template <bool queued, typename T>
void launch_walk(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto walkers = call.tuned<Walkers>();
  const dim3 block(walkers.block_x, walkers.block_y),
      grid = grid_of(extents, walkers.block_x, walkers.block_y, walkers.planes);
  launch_steps<T>(call, [&]<int radius, Weights weights>(const T* from, T* to) {
    walk<radius, weights, queued>
        <<<grid, block, 0, stream_of(call)>>>(Box(extents), walkers.planes, from, to);
  });
}

template <bool queued>
Variant walk_variant(const char* description) {
  Variant variant = device_variant(description);
  variant.tunables = tunables<Walkers>({{"block_x", &Walkers::block_x, {32, 64, 128, 256}},
                                        {"block_y", &Walkers::block_y, {1, 2, 4, 8, 16}},
                                        // 2048: all of the paper's largest box
                                        {"planes", &Walkers::planes, {8, 16, 32, 64, 128, 256, 2048}}});
  variant.launch = {.float32 = launch_walk<queued, float>, .float64 = launch_walk<queued, double>};
  variant.constraint = by_name<refuse_walk>;
  return variant;
}

}  // namespace sextant::heat3d
