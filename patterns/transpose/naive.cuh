// One element a thread. An order says which:
//
//     struct Order {
//       // The element of thread (x, y), if there is one.
//       template <typename T>
//       static void turn(std::int64_t rows, std::int64_t columns, std::int64_t x, std::int64_t y, const T* a, T* out);
//       static Extents threads(const Extents& extents);  // along x and y
//     };
#pragma once

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::transpose {

struct Block {
  int block_x = 32, block_y = 8;
};

template <typename Order, typename T>
__global__ void naive(std::int64_t rows, std::int64_t columns, const T* __restrict__ a, T* __restrict__ y) {
  Order::turn(rows, columns, static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
              static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y, a, y);
}

template <typename Order, typename T>
void launch_naive(const Call& call) {
  const auto block = call.tuned<Block>();
  const Extents& extents = call.problem.extents;
  const Extents threads = Order::threads(extents);
  const dim3 grid(blocks_for(threads.x, block.block_x), blocks_for(threads.y, block.block_y));
  naive<Order><<<grid, dim3(static_cast<unsigned>(block.block_x), static_cast<unsigned>(block.block_y)), 0,
                 stream_of(call)>>>(extents.y, extents.x, call.array<const T>(0), call.array<T>(1));
}

template <typename Order>
const char* refuse_naive(const Problem& problem, const Block& block) {
  return refuse_block(Order::threads(problem.extents), block.block_x, block.block_y, 1);
}

template <typename Order>
Variant naive_variant(const char* description) {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = description;
  variant.tunables = tunables<Block>({{"block_x", &Block::block_x, {8, 16, 32, 64, 128}},
                                      {"block_y", &Block::block_y, {1, 2, 4, 8, 16, 32}}});
  variant.constraint = by_name<refuse_naive<Order>>;
  variant.launch = {.float32 = launch_naive<Order, float>, .float64 = launch_naive<Order, double>};
  return variant;
}

}  // namespace sextant::transpose
