// The CG program as several kernel launches per step, without waiting on the host: a product, then three
// passes over the vectors. A kernel stores one partial sum per block. The next kernel adds these in a fixed
// order.
#pragma once

#include "rows.cuh"
#include "suite/variant.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::npb_cg {
namespace {

inline constexpr int step_threads = 256, step_blocks = 264,
                     most_parts = 3;  // threads per block, maximum blocks, and maximum sums at a time

__device__ __forceinline__ double total(const double* parts) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  double sum = 0;
  for (int b = lane; b < step_blocks; b += 32) sum += parts[b];
  return warp_sum(sum);
}

// Stores the sum of `mine` over all threads of the block in parts[blockIdx.x].
__device__ __forceinline__ void leave_part(double mine, double* parts) {
  __shared__ double of_warps[step_threads / 32];
  __syncthreads();  // all threads have finished reading the previous sum
  const double sum = warp_sum(mine);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double all = 0;
  for (const double one : of_warps) all += one;
  parts[blockIdx.x] = all;
}

template <typename Each>
__device__ __forceinline__ void each_element(std::int64_t n, const Each& each) {
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * step_threads + threadIdx.x; i < n;
       i += std::int64_t{step_blocks} * step_threads)
    each(i);
}

__global__ void __launch_bounds__(step_threads) set_to_one(std::int64_t n, double* x) {
  each_element(n, [&](std::int64_t i) { x[i] = 1; });
}

__global__ void __launch_bounds__(step_threads)
    begin_solution(std::int64_t n, const double* x, double* z, double* r, double* p, double* square) {
  double mine = 0;
  each_element(n, [&](std::int64_t i) {
    z[i] = 0;
    r[i] = p[i] = x[i];
    mine += x[i] * x[i];
  });
  leave_part(mine, square);
}

__global__ void __launch_bounds__(step_threads)
    dot_product(std::int64_t n, const double* p, const double* q, double* dot) {
  double mine = 0;
  each_element(n, [&](std::int64_t i) { mine += p[i] * q[i]; });
  leave_part(mine, dot);
}

__global__ void __launch_bounds__(step_threads)
    approach(std::int64_t n, const double* dot, const double* square, const double* p, const double* q,
             double* z, double* r, double* next_square) {
  const double alpha = total(square) / total(dot);
  double mine = 0;
  each_element(n, [&](std::int64_t i) {
    z[i] += alpha * p[i];
    const double left = r[i] - alpha * q[i];
    r[i] = left;
    mine += left * left;
  });
  leave_part(mine, next_square);
}

__global__ void __launch_bounds__(step_threads)
    turn(std::int64_t n, const double* square, const double* next_square, const double* r, double* p) {
  const double beta = total(next_square) / total(square);
  each_element(n, [&](std::int64_t i) { p[i] = r[i] + beta * p[i]; });
}

__global__ void __launch_bounds__(step_threads)
    end_sums(std::int64_t n, const double* x, const double* z, const double* q, double* end) {
  double off = 0, xz = 0, zz = 0;
  each_element(n, [&](std::int64_t i) {
    off += (x[i] - q[i]) * (x[i] - q[i]);
    xz += x[i] * z[i];
    zz += z[i] * z[i];
  });
  leave_part(off, end);
  leave_part(xz, end + step_blocks);
  leave_part(zz, end + 2 * step_blocks);
}

__global__ void __launch_bounds__(step_threads)
    end_iteration(std::int64_t n, double shift, const double* end, const double* z, double* x, double* zeta,
                  double* rnorm, double* last_x) {
  const double off = total(end), xz = total(end + step_blocks),
               scale = 1 / sqrt(total(end + 2 * step_blocks));
  if (blockIdx.x == 0 && threadIdx.x == 0) *zeta = shift + 1 / xz, *rnorm = sqrt(off);
  each_element(n, [&](std::int64_t i) {
    x[i] = scale * z[i];
    if (last_x) last_x[i] = x[i];
  });
}

// Runs the CG program. multiply(p, q) must enqueue the product q = A p on the call's stream. `parts` must
// hold parts_count doubles.
template <typename Multiply>
void run_in_steps(const Call& call, const DeviceRows& rows, double* parts, const Multiply& multiply) {
  const Problem& problem = call.problem;
  const std::int64_t n = problem.extents.x;
  const cudaStream_t stream = stream_of(call);
  double *const x = rows.vectors.data, *const z = x + n, *const r = z + n, *const p = r + n, *const q = p + n;
  double *const dot = parts, *const squares = dot + step_blocks, *const end = squares + 2 * step_blocks;
  const bool all = with_vector(problem);
  set_to_one<<<step_blocks, step_threads, 0, stream>>>(n, x);
  for (std::int64_t it = 0; it < iterations(problem); ++it) {
    call.phase("conj_grad");
    begin_solution<<<step_blocks, step_threads, 0, stream>>>(n, x, z, r, p, squares);
    for (int inner = 0; inner < inner_iterations; ++inner) {
      double *const now = squares + inner % 2 * step_blocks, *const next =
                                                                 squares + (inner + 1) % 2 * step_blocks;
      multiply(p, q);
      dot_product<<<step_blocks, step_threads, 0, stream>>>(n, p, q, dot);
      approach<<<step_blocks, step_threads, 0, stream>>>(n, dot, now, p, q, z, r, next);
      turn<<<step_blocks, step_threads, 0, stream>>>(n, now, next, r, p);
    }
    multiply(z, q);
    call.phase("norm");
    end_sums<<<step_blocks, step_threads, 0, stream>>>(n, x, z, q, end);
    const std::int64_t slot = all ? it : 0;
    end_iteration<<<step_blocks, step_threads, 0, stream>>>(
        n, shift(problem), end, z, x, call.array<double>(zetas) + slot, call.array<double>(residuals) + slot,
        all && it == iterations(problem) - 1 ? call.array<double>(eigenvector) : nullptr);
  }
  call.phase("");
}

inline constexpr std::int64_t parts_count = (3 + most_parts) * step_blocks;

}  // namespace
}  // namespace sextant::npb_cg
