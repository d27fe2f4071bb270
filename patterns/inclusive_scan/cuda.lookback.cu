#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tile.cuh"
#include "toolbox/cuda/lookback.cuh"

namespace sextant {
namespace {

using Blocks = Choices<128, 256, 512>;
using Rows = Choices<1, 2, 4, 8>;

struct Shape {
  int block_size = 256, rows = 4, wait_ns = 0;
};

template <int block, int rows, typename T>
__global__ void __launch_bounds__(block, 1024 / block)  // 64 registers: two tiles of 64 KiB a multiprocessor
    scan(std::int64_t n, const T* __restrict__ a, T* __restrict__ y, lookback::Board<T> board) {
  __shared__ T totals[block / 32], before_tile;
  __shared__ lookback::Tile taken;
  if (threadIdx.x == 0) taken = lookback::take(board);
  __syncthreads();
  const lookback::Tile number = taken;
  using Share = inclusive_scan::Tile<block, rows, T>;
  const std::int64_t first = static_cast<std::int64_t>(number.number) * Share::size;
  Share tile;
  tile.load(a, first, n);
  const WarpTotals<block, T> warps(tile.scan_warp(), totals);
  if (threadIdx.x < 32) {
    const T before = lookback::sum_before(board, number, warps.all);
    if (threadIdx.x == 0) before_tile = before;
  }
  __syncthreads();
  tile.add(before_tile + warps.before);
  tile.store(y, first, n);
}

std::int64_t tiles_of(const Problem& problem, const Shape& shape) {
  const std::int64_t size = std::int64_t{shape.block_size} * shape.rows *
                            (16 / static_cast<std::int64_t>(element_size(problem.type)));
  return (problem.extents.x + size - 1) / size;
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto tiles = static_cast<unsigned>(tiles_of(call.problem, shape));
  const auto board = static_cast<const lookback::Tickets*>(call.state)->board<T>(shape.wait_ns);
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      scan<block, rows, T><<<tiles, block, 0, stream_of(call)>>>(
          call.problem.extents.x, call.array<const T>(0), call.array<T>(1), board);
    });
  });
}

// What was fastest on an H200: large tiles are fewer that wait for each other, small ones fill it at small sizes.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes < 1 << 20)
    shape = {256, 2, 0};
  else if (bytes < 32 << 20)
    shape = {512, 4, 0};
  else
    shape = {512, 8, 600};
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(tiles_of(problem, shape), element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(tiles_of(call.problem, call.tuned<Shape>()),
                                   element_size(call.problem.type), state);
}

}  // namespace

Variant inclusive_scan_cuda_lookback() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "one launch that reads and writes once: tiles in registers, which look back for the sum before them";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"rows", &Shape::rows, Rows::list()},
                                      {"wait_ns", &Shape::wait_ns, {0, 100, 300, 600, 1000, 1500}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.adapt = by_name<adapt>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = lookback::release_tickets;
  return variant;
}

}  // namespace sextant
