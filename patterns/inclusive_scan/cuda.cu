#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "sweeps.hpp"
#include "toolbox/cuda/lookback.cuh"
#include "toolbox/cuda/rounds.cuh"
#include "toolbox/cuda/rounds_shape.cuh"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

// A block's tile of elements, held in registers. A warp holds `rows` rows of 32 vectors of 16 bytes, one
// vector per lane. It scans each vector, then each row by shuffles. Totals are carried from row to row, then
// from warp to warp.
namespace sextant::inclusive_scan {

template <int block, int rows, typename T>
struct Tile {
  static constexpr int width = vector_length<T>;
  static constexpr int row = 32 * width;
  static constexpr int size = block * rows * width;
  Vector<T, width> at[rows];

  // Offset of the calling thread's first vector in the tile, in elements.
  static __device__ __forceinline__ int place() {
    return static_cast<int>(threadIdx.x / 32) * (rows * row) + static_cast<int>(threadIdx.x % 32) * width;
  }

  // Loads the tile that starts at element `first`, a multiple of the vector length. Elements with index n or
  // higher are 0.
  __device__ __forceinline__ void load(const T* a, std::int64_t first, std::int64_t n) {
    const std::int64_t from = first + place();
    if (first + size <= n) {
#pragma unroll
      for (int r = 0; r < rows; ++r) at[r] = sextant::load<width>(a + from + r * row);
      return;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) at[r][k] = from + r * row + k < n ? a[from + r * row + k] : T(0);
  }

  __device__ __forceinline__ void store(T* y, std::int64_t first, std::int64_t n) const {
    const std::int64_t from = first + place();
    if (first + size <= n) {
#pragma unroll
      for (int r = 0; r < rows; ++r) store_streaming(y + from + r * row, at[r]);
      return;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (from + r * row + k < n) y[from + r * row + k] = at[r][k];
  }

  // Returns the sum of the calling thread's elements.
  __device__ __forceinline__ T sum() const {
    T sum = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) sum += at[r][k];
    return sum;
  }

  // Replaces the elements by their prefix sums within the warp, and returns the warp's sum.
  __device__ __forceinline__ T scan_warp() {
    T total = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int k = 1; k < width; ++k) at[r][k] += at[r][k - 1];
      const T upto = warp_inclusive_sum(at[r][width - 1]);
      const T left = __shfl_up_sync(~0u, upto, 1);
      const T add = threadIdx.x % 32 > 0 ? total + left : total;
#pragma unroll
      for (int k = 0; k < width; ++k) at[r][k] += add;
      total += __shfl_sync(~0u, upto, 31);
    }
    return total;
  }

  __device__ __forceinline__ void add(T before) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) at[r][k] += before;
  }
};

}  // namespace sextant::inclusive_scan

// Operations on one tile, called by the persistent loop of toolbox/cuda/rounds.cuh. A warp holds `rows` rows
// of 32 vectors of 16 bytes, one vector per lane.
namespace sextant::inclusive_scan {

template <int threads, int rows, int slots, int blocks, typename T>
struct ByRounds {
  using Element = T;
  using Sum = T;
  using Share = Tile<threads, rows, T>;
  static constexpr int block = threads, tile = Share::size, stages = slots, per_sm = blocks;
  static constexpr std::size_t own_bytes = 0;
  static constexpr T filler = 0;
  struct Task {
    T* y;
  };

  static __device__ __forceinline__ void take(const T* from, Share& share) {
#pragma unroll
    for (int r = 0; r < rows; ++r) share.at[r] = load<Share::width>(from + Share::place() + r * Share::row);
  }
  static __device__ __forceinline__ T count(const T* from) {
    Share share;
    take(from, share);
    return warp_sum(share.sum());
  }
  static __device__ __forceinline__ void write(const Task& task, const T* from, unsigned char*,
                                               std::int64_t first, std::int64_t n, T before, T before_warp,
                                               T) {
    Share share;
    take(from, share);
    share.scan_warp();
    share.add(before + before_warp);
    share.store(task.y, first, n);
  }
  static __device__ __forceinline__ void total(const Task&, T) {}
};

}  // namespace sextant::inclusive_scan

namespace sextant {
namespace {

// The textbook version (Hillis and Steele): log2(n) passes. Each adds the element that is 1, 2, 4, …
// positions earlier. It takes n log2(n) additions and moves all data log2(n) times.
namespace doubling {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void sweep(std::int64_t n, std::int64_t distance, const T* __restrict__ from, T* __restrict__ to) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i < distance ? from[i] : from[i - distance] + from[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  inclusive_scan::for_sweeps(n, call.array<const T>(0), call.array<T>(1), static_cast<T*>(call.state),
                             [&](std::int64_t distance, const T* from, T* to) {
                               sweep<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, distance, from,
                                                                                          to);
                             });
}

std::int64_t workspace(const Problem& problem, const Block&) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, {}))) == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the sums between passes";
}

}  // namespace doubling

namespace lookback_form {

using Blocks = Choices<128, 256, 512>;
using Rows = Choices<1, 2, 4, 8>;

struct Shape {
  int block_size = 256, rows = 4, wait_ns = 0;
};

// The launch bounds limit each thread to 64 registers, so that two tiles of 64 KiB fit on a multiprocessor.
template <int block, int rows, typename T>
__global__ void __launch_bounds__(block, 1024 / block)
    scan(std::int64_t n, const T* __restrict__ a, T* __restrict__ y,
         lookback::DescriptorArray<T> descriptors) {
  __shared__ T totals[block / 32], before_tile;
  __shared__ lookback::Tile taken;
  if (threadIdx.x == 0) taken = lookback::take(descriptors);
  __syncthreads();
  const lookback::Tile number = taken;
  using Share = inclusive_scan::Tile<block, rows, T>;
  const std::int64_t first = static_cast<std::int64_t>(number.number) * Share::size;
  Share tile;
  tile.load(a, first, n);
  const WarpTotals<block, T> warps(tile.scan_warp(), totals);
  if (threadIdx.x < 32) {
    const T before = lookback::sum_before(descriptors, number, warps.all);
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
  const auto descriptors = static_cast<const lookback::Tickets*>(call.state)->descriptors<T>(shape.wait_ns);
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      scan<block, rows, T><<<tiles, block, 0, stream_of(call)>>>(
          call.problem.extents.x, call.array<const T>(0), call.array<T>(1), descriptors);
    });
  });
}

// Chooses the fastest settings, as measured on an H200. Large tiles need fewer blocks that wait for each
// other; small tiles give small problems enough blocks.
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

}  // namespace lookback_form

namespace one_block {

using Blocks = Choices<256, 512, 1024>;
using Rows = Choices<1, 2, 4>;

struct Shape {
  int block_size = 1024, rows = 2;
};

template <int block, int rows, typename T>
__global__ void __launch_bounds__(block) scan(std::int64_t n, const T* __restrict__ a, T* __restrict__ y) {
  // Two buffers, used by alternate tiles, so that one barrier per tile suffices.
  __shared__ T totals[2][block / 32];
  using Share = inclusive_scan::Tile<block, rows, T>;
  T before = 0;
  int turn = 0;
  for (std::int64_t first = 0; first < n; first += Share::size, turn ^= 1) {
    Share tile;
    tile.load(a, first, n);
    const WarpTotals<block, T> warps(tile.scan_warp(), totals[turn]);
    tile.add(before + warps.before);
    tile.store(y, first, n);
    before += warps.all;
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      scan<block, rows, T><<<1, block, 0, stream_of(call)>>>(call.problem.extents.x, call.array<const T>(0),
                                                             call.array<T>(1));
    });
  });
}

}  // namespace one_block

// Two launches that each read the input. First, each block sums its chunk. Then each block adds up the sums
// of the earlier chunks and scans its chunk with this start value.
namespace reduce_then_scan {

using Blocks = Choices<256, 512>;
using Rows = Choices<2, 4>;

// The selectable numbers of blocks suit the 132 multiprocessors of an H200.
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
  // Two buffers, used by alternate tiles, so that one barrier per tile suffices.
  __shared__ T totals[2][block / 32];
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
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the sums of chunks";
}

}  // namespace reduce_then_scan

namespace rounds_form {

using rounds::Shape;

constexpr int slots(int block, int rows, int blocks) { return rounds::slots_for(block * rows * 16, blocks); }

template <typename T>
void launch(const Call& call) {
  const auto descriptors = static_cast<const lookback::Tickets*>(call.state)->descriptors<T>();
  const auto shape = call.tuned<Shape>();
  rounds::with_shape<slots>(shape, [&]<int block, int rows, int blocks>() {
    rounds::launch<inclusive_scan::ByRounds<block, rows, slots(block, rows, blocks), blocks, T>>(
        {call.array<T>(1)}, call.problem.extents.x, call.array<const T>(0), shape.staying(call.problem.type),
        descriptors, stream_of(call));
  });
}

// Chooses the fastest block sizes, as measured on an H100.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes >= std::int64_t{256} << 20) shape.block_size = 768;
  shape.l2_keep_mib = rounds::usual_l2_keep_mib(problem);
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(rounds::tiles_of(problem, shape), element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(rounds::tiles_of(call.problem, call.tuned<Shape>()),
                                   element_size(call.problem.type), state);
}

Variant form() {
  Variant variant = rounds::variant_with<slots>();
  variant.description =
      "single pass by persistent blocks, which publish a tile's sum two rounds before they "
      "write it (Hopper)";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.adapt = by_name<adapt>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.for_large_arrays = true;
  return variant;
}

}  // namespace rounds_form

}  // namespace

std::vector<Variant> inclusive_scan_cuda() {
  return {
      {.name = "doubling",
       .description = "log2(n) passes; each adds the element 1, 2, 4, ... positions earlier",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<doubling::Block>({{"block_size", &doubling::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(doubling::launch),
       .prepare = doubling::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<doubling::workspace>},
      {.name = "lookback",
       .description = "single pass with decoupled look-back: tiles in registers, prefixes from sums that "
                      "earlier tiles published",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<lookback_form::Shape>(
           {{"block_size", &lookback_form::Shape::block_size, lookback_form::Blocks::list()},
            {"rows", &lookback_form::Shape::rows, lookback_form::Rows::list()},
            {"wait_ns", &lookback_form::Shape::wait_ns, {0, 100, 300, 600, 1000, 1500}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(lookback_form::launch),
       .adapt = by_name<lookback_form::adapt>,
       .prepare = lookback_form::prepare,
       .release = lookback::release_tickets,
       .workspace = by_name<lookback_form::workspace>},
      {.name = "one_block",
       .description =
           "one block scans tile after tile; for small arrays, where blocks waiting for each other "
           "cost more",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<one_block::Shape>(
           {{"block_size", &one_block::Shape::block_size, one_block::Blocks::list()},
            {"rows", &one_block::Shape::rows, one_block::Rows::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(one_block::launch)},
      {.name = "reduce_then_scan",
       .description =
           "two launches: sum each chunk, then scan it from the sum of earlier chunks; reads twice",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<reduce_then_scan::Shape>(
           {{"block_size", &reduce_then_scan::Shape::block_size, reduce_then_scan::Blocks::list()},
            {"rows", &reduce_then_scan::Shape::rows, reduce_then_scan::Rows::list()},
            {"blocks", &reduce_then_scan::Shape::blocks, {132, 264, 528, 1056, 2112}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(reduce_then_scan::launch),
       .prepare = reduce_then_scan::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<reduce_then_scan::workspace>},
      named("rounds", rounds_form::form()),
  };
}

}  // namespace sextant
