// One launch that reads once: each tile counts what it keeps, learns from the tiles before it where that belongs, and
// writes it there, by way of shared memory so that neighbours write neighbours, or at once.
#pragma once

#include "select.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/lookback.cuh"

namespace sextant::compact {

using Blocks = Choices<128, 256, 512>;
using Rows = Choices<1, 2, 4, 8>;

struct Shape {
  int block_size = 256, rows = 4, wait_ns = 0;
};

template <int block, int rows, bool staged, typename T>
__global__ void __launch_bounds__(block, 1024 / block)  // 64 registers: two tiles of 64 KiB a multiprocessor
    single_pass(std::int64_t n, const T* __restrict__ a, T* __restrict__ y, std::int32_t* __restrict__ count,
                lookback::Board<std::int32_t> board) {
  using Share = Tile<block, rows, T>;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  T* const stage = reinterpret_cast<T*>(shared_bytes);
  __shared__ int totals[block / 32];
  __shared__ std::int32_t before_tile;
  __shared__ lookback::Tile taken;
  if (threadIdx.x == 0) taken = lookback::take(board);
  __syncthreads();
  const lookback::Tile number = taken;
  Share tile;
  tile.load(a, static_cast<std::int64_t>(number.number) * Share::size, n);
  const WarpTotals<block, int> warps(tile.count_warp(), totals);
  if constexpr (staged) tile.write(stage, warps.before);
  if (threadIdx.x < 32) {
    const std::int32_t before = lookback::sum_before(board, number, static_cast<std::int32_t>(warps.all));
    if (threadIdx.x == 0) before_tile = before;
    if (threadIdx.x == 0 && number.number == gridDim.x - 1) *count = before + warps.all;
  }
  __syncthreads();
  const std::int64_t before = before_tile;
  if constexpr (staged)
    for (int i = static_cast<int>(threadIdx.x); i < warps.all; i += block) y[before + i] = stage[i];
  else
    tile.write(y, before + warps.before);
}

inline std::int64_t tiles_of(const Problem& problem, const Shape& shape) {
  const std::int64_t size = std::int64_t{shape.block_size} * shape.rows *
                            (16 / static_cast<std::int64_t>(element_size(problem.type)));
  return (problem.extents.x + size - 1) / size;
}

template <bool staged, typename T>
void launch_single_pass(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto tiles = static_cast<unsigned>(tiles_of(call.problem, shape));
  const auto board = static_cast<const lookback::Tickets*>(call.state)->board<std::int32_t>(shape.wait_ns);
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      constexpr std::size_t bytes = staged ? Tile<block, rows, T>::size * sizeof(T) : 0;
      const auto kernel = single_pass<block, rows, staged, T>;
      if (bytes > 48 * 1024)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
      kernel<<<tiles, block, bytes, stream_of(call)>>>(call.problem.extents.x, call.array<const T>(0),
                                                       call.array<T>(1), call.array<std::int32_t>(2), board);
    });
  });
}

// What was fastest on an H200.
template <bool staged>
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes < 1 << 20)
    shape = staged ? Shape{256, 1, 0} : Shape{128, 8, 0};
  else if (bytes < 32 << 20)
    shape = staged ? Shape{512, 4, 0} : Shape{256, 8, 0};
  else
    shape = {staged && bytes >= 128 << 20 ? 512 : 256, 8, 600};
}

inline std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(tiles_of(problem, shape), sizeof(std::int32_t));
}

inline const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(tiles_of(call.problem, call.tuned<Shape>()), sizeof(std::int32_t), state);
}

template <bool staged>
Variant single_pass_variant(const char* description) {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = description;
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"rows", &Shape::rows, Rows::list()},
                                      {"wait_ns", &Shape::wait_ns, {0, 100, 300, 600, 1000, 1500}}});
  variant.launch = {.float32 = launch_single_pass<staged, float>,
                    .float64 = launch_single_pass<staged, double>,
                    .int32 = launch_single_pass<staged, std::int32_t>};
  variant.adapt = by_name<adapt<staged>>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = lookback::release_tickets;
  return variant;
}

}  // namespace sextant::compact
