// Device code shared by the CUDA variants of the NAS benchmarks LU, SP and BT: fields, initial state and
// norms.
#pragma once

#include <cuda_runtime.h>

#include <memory>

#include "toolbox/cuda/vector.cuh"
#include "toolbox/npb_flow/problem.hpp"

namespace sextant::npb::flow {

struct DeviceDoubles {
  double* data = nullptr;
  DeviceDoubles() = default;
  DeviceDoubles(const DeviceDoubles&) = delete;
  DeviceDoubles& operator=(const DeviceDoubles&) = delete;
  ~DeviceDoubles() { cudaFree(data); }
  bool allocate(std::int64_t count) {
    if (cudaMalloc(&data, static_cast<std::size_t>(count) * sizeof(double)) == cudaSuccess) return true;
    cudaGetLastError();  // clears the error, so that no later check reports it
    return false;
  }
};

// Grid and block dimensions that cover an n by n by n cube with one thread per point.
struct Cover {
  dim3 grid, block;
  explicit Cover(std::int64_t n, unsigned x = 32, unsigned y = 4)
      : grid(static_cast<unsigned>((n + x - 1) / x), static_cast<unsigned>((n + y - 1) / y),
             static_cast<unsigned>(n)),
        block(x, y, 1) {}
};

struct Place {
  std::int64_t i, j, k;
  SEXTANT_FLOW bool within(std::int64_t first, std::int64_t end) const {
    return i >= first && i < end && j >= first && j < end && k >= first && k < end;
  }
};
inline __device__ Place place_of_thread() {
  return {static_cast<std::int64_t>(blockIdx.x * blockDim.x + threadIdx.x),
          static_cast<std::int64_t>(blockIdx.y * blockDim.y + threadIdx.y),
          static_cast<std::int64_t>(blockIdx.z)};
}

template <typename G>
__global__ void fill_start(G g, double* u) {
  const Place at = place_of_thread();
  if (at.within(0, g.n)) store(u, g.size(), g.at(at.i, at.j, at.k), initial_at(g.n, at.i, at.j, at.k));
}

template <typename G>
__global__ void fill_forcing(G g, double* f) {
  const Place at = place_of_thread();
  if (!at.within(0, g.n)) return;
  const bool inside = at.within(1, g.n - 1);
  store(f, g.size(), g.at(at.i, at.j, at.k), inside ? forcing_at(g.n, at.i, at.j, at.k) : Five{});
}

// Returns the residual R(u) at a point. The memory clobbers make the compiler handle one axis after the
// other, because loading the neighbours along all axes at once needs too many registers.
template <typename G>
__device__ __forceinline__ Five residual_by_axes(const G& g, const double* u, const double* f, std::int64_t i,
                                                 std::int64_t j, std::int64_t k) {
  const std::int64_t here = g.at(i, j, k), size = g.size();
  const Scheme s(g.n);
  const Five w = load(u, size, here);
  const Derived d = derived(w);
  Five r = along_axis<0>(s, g.n, i, w, d, Stored{u, size, here, g.template step<0>()});
  asm volatile("" ::: "memory");
  r = sum(r, along_axis<1>(s, g.n, j, w, d, Stored{u, size, here, g.template step<1>()}));
  asm volatile("" ::: "memory");
  r = sum(r, along_axis<2>(s, g.n, k, w, d, Stored{u, size, here, g.template step<2>()}));
  return sum(r, load(f, size, here));
}

// Computes b = dt R(u) at interior points.
template <int threads, int blocks>
__global__ void __launch_bounds__(threads, blocks)
    scaled_residual(Grid g, double dt, const double* __restrict__ u, const double* __restrict__ f,
                    double* __restrict__ b) {
  const Place at = place_of_thread();
  const std::int64_t i = at.i + 1, j = at.j + 1, k = at.k + 1;
  if (i > g.n - 2 || j > g.n - 2) return;
  store(b, g.size(), g.at(i, j, k), times(dt, residual_by_axes(g, u, f, i, j, k)));
}

// Prefetches the cache line of `at` into the L2 cache.
__device__ inline void fetch_ahead(const double* at) { asm volatile("prefetch.global.L2 [%0];" ::"l"(at)); }

inline constexpr int norm_threads = 128;
inline constexpr int norm_blocks = 512;

// Sums the squares of the residual and of the error over rows of interior points. partial[m * blocks + block]
// is the block's sum for norm m.
template <typename G>
__global__ void add_norms(G g, const double* u, const double* f, double* partial) {
  __shared__ double part[norm_threads / 32];
  double sums[norm_count] = {};
  const std::int64_t inner = g.n - 2;
  for (std::int64_t row = blockIdx.x; row < inner * inner; row += gridDim.x) {
    const std::int64_t j = row % inner + 1, k = row / inner + 1;
    for (std::int64_t i = 1 + static_cast<std::int64_t>(threadIdx.x); i < g.n - 1; i += norm_threads) {
      const Five r = residual_at(g, u, f, i, j, k);
      const Five e = difference(load(u, g.size(), g.at(i, j, k)), exact_at(g.n, i, j, k));
      const double squares[norm_count] = {r.r * r.r, r.x * r.x, r.y * r.y, r.z * r.z, r.e * r.e,
                                          e.r * e.r, e.x * e.x, e.y * e.y, e.z * e.z, e.e * e.e};
#pragma unroll
      for (int m = 0; m < norm_count; ++m) sums[m] += squares[m];
    }
  }
#pragma unroll
  for (int m = 0; m < norm_count; ++m) {
    double sum = sums[m];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      double all = 0;
      for (int warp = 0; warp < norm_threads / 32; ++warp) all += part[warp];
      partial[m * gridDim.x + blockIdx.x] = all;
    }
    __syncthreads();
  }
}

// Computes the norms from the partial sums. One warp computes one norm.
__global__ static void finish_norms(int blocks, double points, const double* partial, double* out) {
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < blocks; i += 32) sum += partial[blockIdx.x * blocks + i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
  if (threadIdx.x == 0) out[blockIdx.x] = ::sqrt(sum / points);
}

// Copies the state from the padded grid into the kernel's array.
template <typename G>
__global__ void copy_state(G g, const double* u, double* out) {
  const Place at = place_of_thread();
  if (at.within(0, g.n))
    store(out, g.n * g.n * g.n, dense_grid(g.n).at(at.i, at.j, at.k),
          load(u, g.size(), g.at(at.i, at.j, at.k)));
}

// Device memory for the state u, the right-hand side b, the forcing f and the partial sums of the norms.
// G::aligned(n) defines the layout of the points.
template <typename G>
struct DeviceFlowOn {
  G grid;
  DeviceDoubles u, b, f, partial;

  static std::int64_t bytes(std::int64_t n) {
    return 8 * (3 * components * G::aligned(n).size() + norm_count * norm_blocks);
  }
  const char* make(std::int64_t n, cudaStream_t stream) {
    grid = G::aligned(n);
    const std::int64_t count = components * grid.size();
    if (!u.allocate(count) || !b.allocate(count) || !f.allocate(count) ||
        !partial.allocate(norm_count * norm_blocks))
      return "device memory ran out";
    // Kernels read the padding, but their results do not depend on it.
    for (double* data : {u.data, b.data, f.data})
      cudaMemsetAsync(data, 0, static_cast<std::size_t>(count) * sizeof(double), stream);
    const Cover cover(n);
    fill_forcing<<<cover.grid, cover.block, 0, stream>>>(grid, f.data);
    return nullptr;
  }
  void reset(cudaStream_t stream) const {
    const Cover cover(grid.n);
    fill_start<<<cover.grid, cover.block, 0, stream>>>(grid, u.data);
  }
  void put_results(const Call& call, cudaStream_t stream) const {
    const auto inner = static_cast<double>(grid.n - 2);
    const std::int64_t rows = (grid.n - 2) * (grid.n - 2);
    const auto blocks = static_cast<unsigned>(rows < norm_blocks ? rows : norm_blocks);
    add_norms<<<blocks, norm_threads, 0, stream>>>(grid, u.data, f.data, partial.data);
    finish_norms<<<norm_count, 32, 0, stream>>>(static_cast<int>(blocks), inner * inner * inner, partial.data,
                                                call.array<double>(norms));
    if (!with_field(call.problem)) return;
    const Cover cover(grid.n);
    copy_state<<<cover.grid, cover.block, 0, stream>>>(grid, u.data, call.array<double>(field));
  }
};
using DeviceFlow = DeviceFlowOn<Grid>;

}  // namespace sextant::npb::flow
