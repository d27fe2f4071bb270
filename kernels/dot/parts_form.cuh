// The product of a part's elements, for ../reduction/part_sums.cuh.
#pragma once

#include "../reduction/part_sums.cuh"
#include "fused_grid.hpp"
#include "products.cuh"

namespace sextant::dot {

template <typename T, int block, int unroll>
__global__ void __launch_bounds__(block)
    fused_among(std::int64_t n, const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ sum,
                reduction::Box<T>* boxes, const __grid_constant__ reduction::Among among) {
  __shared__ T scratch[block / 32], last_scratch[block / 32];
  const T total = reduction::block_sum<block>(thread_sum<T, block, unroll>(n, a, b), scratch);
  reduction::add_blocks_and_parts<block>(total, last_scratch, sum, boxes, among);
}

struct PartProduct {
  static constexpr int inputs = 2;
  using Grid = dot::Grid;
  static constexpr auto tunables = grid_tunables;
  static constexpr auto fit = fit_grid;
  template <typename T>
  static auto kernel(const Grid& grid) {
    void (*chosen)(std::int64_t, const T*, const T*, T*, reduction::Box<T>*, reduction::Among) = nullptr;
    Blocks::with(grid.block_size, [&]<int block>() {
      Loads::with(grid.loads, [&]<int loads>() { chosen = fused_among<T, block, loads>; });
    });
    return chosen;
  }
};

}  // namespace sextant::dot
