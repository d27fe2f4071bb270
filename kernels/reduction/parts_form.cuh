// The sum of a part's elements, for part_sums.cuh.
#pragma once

#include "fused_grid.hpp"
#include "part_sums.cuh"

namespace sextant::reduction {

template <typename T, int block, int unroll>
__global__ void __launch_bounds__(block)
    fused_among(std::int64_t n, const T* __restrict__ a, T* __restrict__ sum, Box<T>* boxes,
                const __grid_constant__ Among among) {
  __shared__ T scratch[block / 32], last_scratch[block / 32];
  const T total = block_sum<block>(thread_sum<T, block, unroll>(n, a), scratch);
  add_blocks_and_parts<block>(total, last_scratch, sum, boxes, among);
}

struct PartSum {
  static constexpr int inputs = 1;
  using Grid = reduction::Grid;
  static constexpr auto tunables = grid_tunables;
  static constexpr auto fit = fit_grid;
  template <typename T>
  static auto kernel(const Grid& grid) {
    void (*chosen)(std::int64_t, const T*, T*, Box<T>*, Among) = nullptr;
    Blocks::with(grid.block_size, [&]<int block>() {
      Loads::with(grid.loads, [&]<int loads>() { chosen = fused_among<T, block, loads>; });
    });
    return chosen;
  }
};

}  // namespace sextant::reduction
