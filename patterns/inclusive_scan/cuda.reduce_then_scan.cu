// Two launches that read twice: blocks sum their chunks; then each adds up the sums of the chunks before its own, and scans
// its chunk from there.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tile.cuh"

namespace sextant {
namespace {

using Blocks = Choices<256, 512>;
using Rows = Choices<2, 4>;

// The counts of blocks suit the 132 multiprocessors of an H200.
struct Shape {
  int block_size = 512, rows = 2, blocks = 528;
};

template <int block, int rows, typename T>
__global__ void __launch_bounds__(block)
    sums_of_chunks(std::int64_t n, std::int64_t chunk, const T* __restrict__ a, T* __restrict__ sums) {
  __shared__ T totals[block / 32];
  using Share = inclusive_scan::Tile<block, rows, T>;
  const std::int64_t begin = blockIdx.x * chunk, end = min(n, begin + chunk);
  T sum = 0;
  for (std::int64_t first = begin; first < end; first += Share::size) {
    Share tile;
    tile.load(a, first, end);
    sum += tile.sum();
  }
  const WarpTotals<block, T> warps(warp_sum(sum), totals);
  if (threadIdx.x == 0) sums[blockIdx.x] = warps.all;
}

template <int block, int rows, typename T>
__global__ void __launch_bounds__(block)
    scan_chunks(std::int64_t n, std::int64_t chunk, const T* __restrict__ a, T* __restrict__ y,
                const T* __restrict__ sums) {
  __shared__ T totals[2][block / 32];  // in turns: one barrier a tile
  using Share = inclusive_scan::Tile<block, rows, T>;
  const std::int64_t begin = blockIdx.x * chunk, end = min(n, begin + chunk);
  T before = 0;
  for (unsigned i = threadIdx.x; i < blockIdx.x; i += block) before += sums[i];
  before = WarpTotals<block, T>(warp_sum(before), totals[0]).all;
  int turn = 1;
  for (std::int64_t first = begin; first < end; first += Share::size, turn ^= 1) {
    Share tile;
    tile.load(a, first, end);
    const WarpTotals<block, T> warps(tile.scan_warp(), totals[turn]);
    tile.add(before + warps.before);
    tile.store(y, first, end);
    before += warps.all;
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x;
  auto* sums = static_cast<T*>(call.state);
  const auto blocks = static_cast<unsigned>(shape.blocks);
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      constexpr std::int64_t tile = inclusive_scan::Tile<block, rows, T>::size;
      const std::int64_t chunk = ((n + tile - 1) / tile + blocks - 1) / blocks * tile;
      sums_of_chunks<block, rows, T>
          <<<blocks, block, 0, stream_of(call)>>>(n, chunk, call.array<const T>(0), sums);
      scan_chunks<block, rows, T>
          <<<blocks, block, 0, stream_of(call)>>>(n, chunk, call.array<const T>(0), call.array<T>(1), sums);
    });
  });
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return shape.blocks * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()))) ==
      cudaSuccess)
    return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the chunks' sums";
}

}  // namespace

Variant inclusive_scan_cuda_reduce_then_scan() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "two launches: sums of chunks, then each chunk from the sum of those before; reads twice";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"rows", &Shape::rows, Rows::list()},
                                      {"blocks", &Shape::blocks, {132, 264, 528, 1056, 2112}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
