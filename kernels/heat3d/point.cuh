// Helpers that the CUDA variants of the heat stencil share: sums of neighbours, launch shapes and the
// workspace.
#pragma once

#include "steps.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::heat3d {

// Returns the new value at a point: c[0] * centre + c[k] * the six points at distance k. With
// Weights::by_point each neighbour has its own coefficient. Each of six functions returns the neighbour at
// distance k in one direction.
template <int radius, Weights weights, typename T, typename West, typename East, typename North,
          typename South, typename Below, typename Above>
__device__ __forceinline__ T weighted(T centre, West west, East east, North north, South south, Below below,
                                      Above above) {
  if constexpr (weights == Weights::by_point) {
    constexpr PointCoefficients<radius, T> c;
    T sum = c.centre * centre;
#pragma unroll
    for (int k = 1; k <= radius; ++k) {
      sum += c.at[0][k] * west(k);
      sum += c.at[1][k] * east(k);
      sum += c.at[2][k] * north(k);
      sum += c.at[3][k] * south(k);
      sum += c.at[4][k] * below(k);
      sum += c.at[5][k] * above(k);
    }
    return sum;
  } else {
    constexpr Coefficients<radius, T> c;
    T sum = c.at[0] * centre;
#pragma unroll
    for (int k = 1; k <= radius; ++k)
      sum += c.at[k] * (((west(k) + east(k)) + (north(k) + south(k))) + (below(k) + above(k)));
    return sum;
  }
}

// Sums for threads that hold `rows` vectors in consecutive rows and their planes z-R … z+R. The new values
// are summed in three steps: the points and their z neighbours (sum_along_z), the y neighbours (add_along_y),
// and the x neighbours, which the caller adds.

// Sets sum = c[0] * the points + c[k] * the points at distance k below and above. plane_at(k) must return the
// thread's rows in plane z + k.
template <int radius, int length, int rows, typename T, typename PlaneAt>
__device__ __forceinline__ void sum_along_z(PlaneAt plane_at, Vector<T, length> (&sum)[rows]) {
  constexpr Coefficients<radius, T> c;
#pragma unroll
  for (int j = 0; j < rows; ++j)
#pragma unroll
    for (int e = 0; e < length; ++e) {
      sum[j][e] = c.at[0] * plane_at(0)[j][e];
#pragma unroll
      for (int k = 1; k <= radius; ++k) sum[j][e] += c.at[k] * (plane_at(-k)[j][e] + plane_at(k)[j][e]);
    }
}

// Adds c[k] * the points at distance k along y to `sum`. Each row is loaded once and added to all rows whose
// neighbour it is. `centre` has the thread's own rows. row_at(i) must load row i, from -R to rows+R-1, for
// all other rows.
template <int radius, int length, int rows, typename T, typename RowAt>
__device__ __forceinline__ void add_along_y(const Vector<T, length> (&centre)[rows], RowAt row_at,
                                            Vector<T, length> (&sum)[rows]) {
  constexpr Coefficients<radius, T> c;
#pragma unroll
  for (int i = -radius; i < rows + radius; ++i) {
    Vector<T, length> row;
    if (i >= 0 && i < rows)
      row = centre[i < 0 || i >= rows ? 0 : i];
    else
      row = row_at(i);
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      const int k = i < j ? j - i : i - j;
      if (k < 1 || k > radius) continue;
#pragma unroll
      for (int e = 0; e < length; ++e) sum[j][e] += c.at[k] * row[e];
    }
  }
}

// Size of the box as kernels use it, with 32-bit sides and 64-bit strides. `pitch` is the distance from row
// to row in elements.
struct Box {
  int x, y, z, pitch;
  std::int64_t plane;
  explicit Box(const Extents& extents) : Box(extents, extents.x) {}
  Box(const Extents& extents, std::int64_t row_pitch)
      : x(static_cast<int>(extents.x)),
        y(static_cast<int>(extents.y)),
        z(static_cast<int>(extents.z)),
        pitch(static_cast<int>(row_pitch)),
        plane(row_pitch * extents.y) {}
};

// Returns the grid of a launch. A GPU allows at most 65 535 blocks along y and z; for larger boxes, kernels
// loop with the grid's size as stride.
inline dim3 grid_of(const Extents& box, int x, int y, int z) {
  const auto along = [](std::int64_t points, int block) {
    return std::min(blocks_for(points, block), 65535u);
  };
  return dim3(blocks_for(box.x, x), along(box.y, y), along(box.z, z));
}

// Maximum shared memory per block that tunings assume: the limit of compute capability 9.0 (CUDA C++
// Programming Guide, technical specifications). If the current device has less, refuse_shared_memory reports
// it in `prepare`.
inline constexpr std::size_t most_shared_memory = 227 * 1024;

inline const char* refuse_shared_memory(std::size_t bytes) {
  const auto most = static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  return bytes > most ? "this GPU has too little shared memory for the tile" : nullptr;
}

// Allocates `bytes` of device memory for the arrays with which steps alternate. Allocates nothing for 0
// bytes.
inline const char* allocate_workspace(std::int64_t bytes, void** workspace) {
  if (bytes == 0 || cudaMalloc(workspace, static_cast<std::size_t>(bytes)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // Clears the error, which the next launch would report otherwise.
  return "no device memory for the workspace";
}

// Allocates the second array, with which steps alternate, on the device. It is the state of most variants.
inline const char* prepare_device(const Call& call, void** state) {
  return allocate_workspace(workspace_bytes(call.problem), state);
}

inline void release_device(void* state) { cudaFree(state); }

// Launches one kernel per step. Calls sweep.operator()<radius, weights>(from, to) for each.
template <typename T, typename SweepOnce>
void launch_steps(const Call& call, SweepOnce sweep) {
  sweep_steps(call, static_cast<T*>(call.state), sweep);
}

inline Variant device_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.memory_space = MemorySpace::cuda;
  variant.workspace = [](const Problem& problem, const int*) { return workspace_bytes(problem); };
  variant.prepare = prepare_device;
  variant.release = release_device;
  return variant;
}

}  // namespace sextant::heat3d
