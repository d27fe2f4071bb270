// One point a thread, all operands from global memory: the kernel of `base` and `ldg`.
#pragma once

#include "point.cuh"

namespace sextant::heat3d {

// read_only: loads go through the read-only path (ld.global.nc). Without it they must not: hence no
// __restrict__, with which the compiler would take that path by itself.
template <int radius, Weights weights, bool read_only, typename T>
__global__ void direct(Box box, const T* u, T* v) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= box.x) return;
  const auto load = [u](std::int64_t i) {
    if constexpr (read_only)
      return __ldg(u + i);
    else
      return u[i];
  };
  for (int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z); z < box.z;
       z += gridDim.z * blockDim.z)
    for (int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); y < box.y;
         y += gridDim.y * blockDim.y) {
      const std::int64_t i = z * box.plane + static_cast<std::int64_t>(y) * box.x + x;
      const T centre = load(i);
      v[i] = in_rim<radius>(x, box.x) || in_rim<radius>(y, box.y) || in_rim<radius>(z, box.z)
                 ? centre
                 : weighted<radius, weights>(
                       centre, [&](int k) { return load(i - k); }, [&](int k) { return load(i + k); },
                       [&](int k) { return load(i - static_cast<std::int64_t>(k) * box.x); },
                       [&](int k) { return load(i + static_cast<std::int64_t>(k) * box.x); },
                       [&](int k) { return load(i - k * box.plane); },
                       [&](int k) { return load(i + k * box.plane); });
    }
}

struct DirectBlock {
  int block_x = 64, block_y = 4, block_z = 1;
};

inline const char* refuse_direct(const Problem&, const DirectBlock& block) {
  return refuse_block({}, block.block_x, block.block_y, block.block_z);
}

template <bool read_only, typename T>
void launch_direct(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto [x, y, z] = call.tuned<DirectBlock>();
  const dim3 block(x, y, z), grid = grid_of(extents, x, y, z);
  launch_steps<T>(call, [&]<int radius, Weights weights>(const T* from, T* to) {
    direct<radius, weights, read_only><<<grid, block, 0, stream_of(call)>>>(Box(extents), from, to);
  });
}

template <bool read_only>
Variant direct_variant(const char* description) {
  Variant variant = device_variant(description);
  variant.tunables = tunables<DirectBlock>({{"block_x", &DirectBlock::block_x, {32, 64, 128, 256}},
                                            {"block_y", &DirectBlock::block_y, {1, 2, 4, 8, 16}},
                                            {"block_z", &DirectBlock::block_z, {1, 2, 4}}});
  variant.launch = {.float32 = launch_direct<read_only, float>, .float64 = launch_direct<read_only, double>};
  variant.constraint = by_name<refuse_direct>;
  return variant;
}

}  // namespace sextant::heat3d
