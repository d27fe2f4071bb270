// What the CUDA variants of the heat stencil share: sums of neighbours, shapes of launches, the workspace.
#pragma once

#include "coefficients.hpp"
#include "steps.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::heat3d {

// c[0] * centre + c[k] * the six points at distance k, taken from six functions of k, one a direction.
template <int radius, typename T, typename West, typename East, typename North, typename South,
          typename Below, typename Above>
__device__ __forceinline__ T weighted(T centre, West west, East east, North north, South south, Below below,
                                      Above above) {
  constexpr Coefficients<radius, T> c;
  T sum = c.at[0] * centre;
#pragma unroll
  for (int k = 1; k <= radius; ++k)
    sum += c.at[k] * (((west(k) + east(k)) + (north(k) + south(k))) + (below(k) + above(k)));
  return sum;
}

// The box as kernels take it: 32-bit sides, 64-bit strides.
struct Box {
  int x, y, z;
  std::int64_t plane;
  explicit Box(const Extents& extents)
      : x(static_cast<int>(extents.x)),
        y(static_cast<int>(extents.y)),
        z(static_cast<int>(extents.z)),
        plane(extents.x * extents.y) {}
};

// Shared memory that a block may have on GPUs of compute capability 9.0 (CUDA C++ Programming Guide,
// technical specifications); 8.0 has 163 KiB, where larger tiles do not launch.
inline constexpr std::size_t most_shared_memory = 227 * 1024;

// Blocks of a launch: along y and z a GPU takes 65 535 at most, so that kernels walk on by whole grids.
inline dim3 grid_of(const Extents& box, int x, int y, int z) {
  const auto along = [](std::int64_t points, int block) {
    return std::min(blocks_for(points, block), 65535u);
  };
  return dim3(blocks_for(box.x, x), along(box.y, y), along(box.z, z));
}

inline int multiprocessors() {
  int device = 0, count = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return 132;
  return count;
}

// The major number of the current device's.
inline int compute_capability() {
  int device = 0, major = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
                 cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess
             ? major
             : 0;
}

// A second device array to step to and fro; the state of most variants.
inline const char* prepare_device(const Call& call, void** state) {
  const std::int64_t bytes = workspace_bytes(call.problem, nullptr);
  if (bytes == 0 || cudaMalloc(state, static_cast<std::size_t>(bytes)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // told here; not to be found by the next launch
  return "no device memory for the array that steps alternate with";
}

inline void release_device(void* state) { cudaFree(state); }

// All steps, one launch a step: sweep.operator()<radius>(from, to).
template <typename T, typename SweepOnce>
void launch_steps(const Call& call, SweepOnce sweep) {
  const std::int64_t steps = steps_of(call.problem);
  Radii::with(radius_of(call.problem), [&]<int radius>() {
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto [from, to] =
          sweep_of(call.array<const T>(0), call.array<T>(1), static_cast<T*>(call.state), step, steps);
      sweep.template operator()<radius>(from, to);
    }
  });
}

inline Variant device_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.home = Home::cuda;
  variant.workspace = workspace_bytes;
  variant.prepare = prepare_device;
  variant.release = release_device;
  return variant;
}

}  // namespace sextant::heat3d
