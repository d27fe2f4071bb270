// Two launches that read twice: blocks count what they keep of their chunks; then each adds up the counts of the chunks
// before its own, and writes its chunk from there.
#include "select.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

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
    count_chunks(std::int64_t n, std::int64_t chunk, const T* __restrict__ a, int* __restrict__ counts) {
  __shared__ int totals[block / 32];
  using Share = compact::Tile<block, rows, T>;
  const std::int64_t begin = blockIdx.x * chunk, end = min(n, begin + chunk);
  int count = 0;
  for (std::int64_t first = begin; first < end; first += Share::size) {
    Share tile;
    tile.load(a, first, end);
    count += __popc(tile.kept);
  }
  const WarpTotals<block, int> warps(warp_sum(count), totals);
  if (threadIdx.x == 0) counts[blockIdx.x] = warps.all;
}

template <int block, int rows, typename T>
__global__ void __launch_bounds__(block)
    write_chunks(std::int64_t n, std::int64_t chunk, const T* __restrict__ a, T* __restrict__ y,
                 std::int32_t* __restrict__ total, const int* __restrict__ counts) {
  __shared__ int totals[2][block / 32];  // in turns: one barrier a tile
  using Share = compact::Tile<block, rows, T>;
  const std::int64_t begin = blockIdx.x * chunk, end = min(n, begin + chunk);
  int before = 0;
  for (unsigned i = threadIdx.x; i < blockIdx.x; i += block) before += counts[i];
  before = WarpTotals<block, int>(warp_sum(before), totals[0]).all;
  if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) *total = before + counts[blockIdx.x];
  int turn = 1;
  for (std::int64_t first = begin; first < end; first += Share::size, turn ^= 1) {
    Share tile;
    tile.load(a, first, end);
    const WarpTotals<block, int> warps(tile.count_warp(), totals[turn]);
    tile.write(y, static_cast<std::int64_t>(before) + warps.before);
    before += warps.all;
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x;
  auto* counts = static_cast<int*>(call.state);
  const auto blocks = static_cast<unsigned>(shape.blocks);
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      constexpr std::int64_t tile = compact::Tile<block, rows, T>::size;
      const std::int64_t chunk = ((n + tile - 1) / tile + blocks - 1) / blocks * tile;
      count_chunks<block, rows, T>
          <<<blocks, block, 0, stream_of(call)>>>(n, chunk, call.array<const T>(0), counts);
      write_chunks<block, rows, T><<<blocks, block, 0, stream_of(call)>>>(
          n, chunk, call.array<const T>(0), call.array<T>(1), call.array<std::int32_t>(2), counts);
    });
  });
}

std::int64_t workspace(const Problem&, const Shape& shape) {
  return shape.blocks * static_cast<std::int64_t>(sizeof(int));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()))) ==
      cudaSuccess)
    return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the chunks' counts";
}

}  // namespace

Variant compact_cuda_two_pass() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "two launches: counts of chunks, then each chunk behind those before; reads twice";
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
