// Where LU's points lie for sweeps in wavefronts: those of a plane with one i + j are neighbours, along y, and points (j, k) of a
// hyperplane i + j + k are one such row for each k. Half of the rows' elements are no points.
#pragma once

#include "blocks.hpp"
#include "problem.hpp"
#include "toolbox/cuda/npb_flow.cuh"

namespace sextant::npb_lu {

struct SkewedGrid {
  std::int64_t n = 0, pitch = 0, lead = 0;
  // Point 1 of each row begins 64 bytes.
  static constexpr SkewedGrid aligned(std::int64_t n) { return {n, (n + 7) / 8 * 8, 7}; }
  SEXTANT_FLOW std::int64_t rows() const { return 2 * n - 1; }  // of a plane
  SEXTANT_FLOW std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return lead + j + pitch * (i + j + rows() * k);
  }
  SEXTANT_FLOW std::int64_t size() const { return (lead + 7) / 8 * 8 + pitch * rows() * n; }
  template <int axis>
  SEXTANT_FLOW std::int64_t step() const {
    return axis == 0 ? pitch : axis == 1 ? pitch + 1 : pitch * rows();
  }
};

// v = dt R(u) at interior points. Threads (j, i + j, k).
template <int threads, int blocks>
__global__ void __launch_bounds__(threads, blocks)
    skewed_residual(SkewedGrid g, double dt, const double* __restrict__ u, const double* __restrict__ f,
                    double* __restrict__ v) {
  const Place at = place_of_thread();
  const std::int64_t j = at.i + 1, i = at.j + 2 - j, k = at.k + 1;
  if (j > g.n - 2 || i < 1 || i > g.n - 2) return;
  store(v, g.size(), g.at(i, j, k), times(dt, residual_by_axes(g, u, f, i, j, k)));
}

// ---- the integral, in the order of its rows ----

template <typename G>
__global__ void add_integral_rows(G g, const double* u, double* rows) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row < 3 * g.n) rows[row] = integral_row(g, u, row);
}

// One warp.
__global__ static void finish_integral(std::int64_t n, const double* rows, double* out) {
  double sum = 0;
  for (std::int64_t row = threadIdx.x; row < 3 * n; row += 32) sum += rows[row];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
  if (threadIdx.x == 0) out[norm_count] = integral_factor(n) * sum;
}

// Norms, integral and, if it is asked for, the state.
template <typename G>
void put_all_results(const Call& call, const DeviceFlowOn<G>& flow, double* rows, cudaStream_t stream) {
  flow.put_results(call, stream);
  const auto blocks = static_cast<unsigned>((3 * flow.grid.n + 63) / 64);
  add_integral_rows<<<blocks, 64, 0, stream>>>(flow.grid, flow.u.data, rows);
  finish_integral<<<1, 32, 0, stream>>>(flow.grid.n, rows, call.array<double>(norms));
}

}  // namespace sextant::npb_lu
