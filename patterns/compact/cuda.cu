#include "../inclusive_scan/sweeps.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/lookback.cuh"
#include "toolbox/cuda/rounds.cuh"
#include "toolbox/cuda/rounds_shape.cuh"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

// A block's tile of elements, held in registers. A warp holds `rows` rows of 32 vectors of 16 bytes, one
// vector per lane. `write` stores the kept elements without gaps; warp ballots yield their output indices.
namespace sextant::compact {

template <int block, int rows, typename T>
struct Tile {
  static constexpr int width = vector_length<T>;
  static constexpr int row = 32 * width;
  static constexpr int size = block * rows * width;
  Vector<T, width> at[rows];
  unsigned kept;  // bit r * width + k is 1 if element k of the lane's vector in row r is kept

  // Loads the tile that starts at element `first`, a multiple of the vector length. Elements with index n or
  // higher are marked as not kept.
  __device__ __forceinline__ void load(const T* a, std::int64_t first, std::int64_t n) {
    static_assert(rows * width <= 32);
    const std::int64_t from = first + static_cast<int>(threadIdx.x / 32) * (rows * row) +
                              static_cast<int>(threadIdx.x % 32) * width;
    if (first + size <= n) {
#pragma unroll
      for (int r = 0; r < rows; ++r) at[r] = sextant::load<width>(a + from + r * row);
    } else {
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int k = 0; k < width; ++k) at[r][k] = from + r * row + k < n ? a[from + r * row + k] : T(-1);
    }
    kept = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) kept |= (at[r][k] >= T(0) ? 1u : 0u) << (r * width + k);
  }

  // The number of elements that the calling warp keeps.
  __device__ __forceinline__ int count_warp() const { return warp_sum(__popc(kept)); }

  // Writes the kept elements to `to`. `place` is the destination index of the warp's first kept element.
  template <typename Place>
  __device__ __forceinline__ void write(T* to, Place place) const {
    const unsigned before = (1u << (threadIdx.x % 32)) - 1;  // mask of the lanes before this one
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      int mine = 0, all = 0;
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const unsigned lanes = __ballot_sync(~0u, kept >> (r * width + k) & 1);
        mine += __popc(lanes & before);
        all += __popc(lanes);
      }
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (kept >> (r * width + k) & 1) to[place + mine++] = at[r][k];
      place += all;
    }
  }
};

}  // namespace sextant::compact

// Single-pass compaction with decoupled look-back, in one launch. Each tile counts its kept elements and gets
// its output offset from the tiles before it. With `staged` the elements pass through shared memory, so that
// neighbouring threads write neighbouring elements.
namespace sextant::compact {

using Blocks = Choices<128, 256, 512>;
using Rows = Choices<1, 2, 4, 8>;

struct Shape {
  int block_size = 256, rows = 4, wait_ns = 0;
};

// The launch bounds limit each thread to 64 registers, so that two tiles of 64 KiB fit on a multiprocessor.
template <int block, int rows, bool staged, typename T>
__global__ void __launch_bounds__(block, 1024 / block)
    single_pass(std::int64_t n, const T* __restrict__ a, T* __restrict__ y, std::int32_t* __restrict__ count,
                lookback::DescriptorArray<std::int32_t> descriptors) {
  using Share = Tile<block, rows, T>;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  T* const stage = reinterpret_cast<T*>(shared_bytes);
  __shared__ int totals[block / 32];
  __shared__ std::int32_t before_tile;
  __shared__ lookback::Tile taken;
  if (threadIdx.x == 0) taken = lookback::take(descriptors);
  __syncthreads();
  const lookback::Tile number = taken;
  Share tile;
  tile.load(a, static_cast<std::int64_t>(number.number) * Share::size, n);
  const WarpTotals<block, int> warps(tile.count_warp(), totals);
  if constexpr (staged) tile.write(stage, warps.before);
  if (threadIdx.x < 32) {
    const std::int32_t before =
        lookback::sum_before(descriptors, number, static_cast<std::int32_t>(warps.all));
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
  const auto descriptors =
      static_cast<const lookback::Tickets*>(call.state)->descriptors<std::int32_t>(shape.wait_ns);
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      constexpr std::size_t bytes = staged ? Tile<block, rows, T>::size * sizeof(T) : 0;
      const auto kernel = single_pass<block, rows, staged, T>;
      if (bytes > 48 * 1024)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
      kernel<<<tiles, block, bytes, stream_of(call)>>>(call.problem.extents.x, call.array<const T>(0),
                                                       call.array<T>(1), call.array<std::int32_t>(2),
                                                       descriptors);
    });
  });
}

// Chooses the fastest settings, as measured on an H200.
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
  variant.memory_space = MemorySpace::cuda;
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

// Operations on one tile, called by the persistent loop of toolbox/cuda/rounds.cuh. A lane has `rows` 16-byte
// vectors. One prefix sum per warp serves up to four rows, whose counts are packed into one 32-bit word.
namespace sextant::compact {

template <int threads, int rows, int slots, int blocks, typename T>
struct ByRounds {
  using Element = T;
  using Sum = std::int32_t;
  static constexpr int width = vector_length<T>, row = 32 * width;
  static constexpr int block = threads, tile = threads * rows * width, stages = slots, per_sm = blocks;
  // Shared memory for the kept elements, at the same alignment as in y.
  static constexpr std::size_t own_bytes = tile * sizeof(T) + 128;
  static constexpr T filler = -1;
  static constexpr int packed = rows < 4 ? rows : 4;  // row counts packed into one word; each is at most 128
  static_assert(rows % packed == 0);
  struct Task {
    T* y;
    std::int32_t* count;
  };

  static __device__ __forceinline__ int place() {
    return static_cast<int>(threadIdx.x / 32) * (rows * row) + static_cast<int>(threadIdx.x % 32) * width;
  }
  static __device__ __forceinline__ std::int32_t count(const T* from) {
    std::int32_t kept = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const auto vector = load<width>(from + place() + r * row);
#pragma unroll
      for (int k = 0; k < width; ++k) kept += vector[k] >= T(0);
    }
    return __reduce_add_sync(~0u, kept);
  }

  // A barrier of the first `threads` threads, without the additional warp that exchanges offsets with other
  // blocks.
  static __device__ __forceinline__ void all_arrive() {
    asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
  }

  static __device__ __forceinline__ void write(const Task& task, const T* from, unsigned char* own,
                                               std::int64_t, std::int64_t, std::int32_t before,
                                               std::int32_t before_warp, std::int32_t of_tile) {
    T* const kept = reinterpret_cast<T*>(own);
    const int shift = before & (width - 1);  // index of the tile's first output within a vector of y
    int base = shift + before_warp;
#pragma unroll
    for (int r = 0; r < rows; r += packed) {
      Vector<T, width> at[packed];
      unsigned counts = 0;
#pragma unroll
      for (int p = 0; p < packed; ++p) {
        at[p] = load<width>(from + place() + (r + p) * row);
#pragma unroll
        for (int k = 0; k < width; ++k) counts += (at[p][k] >= T(0) ? 1u : 0u) << (8 * p);
      }
      const unsigned upto = warp_inclusive_sum(counts), all = __shfl_sync(~0u, upto, 31);
      const unsigned mine = upto - counts;
#pragma unroll
      for (int p = 0; p < packed; ++p) {
        int at_place = base + static_cast<int>(mine >> (8 * p) & 255u);
#pragma unroll
        for (int k = 0; k < width; ++k) {
          if (at[p][k] >= T(0)) kept[at_place] = at[p][k];
          at_place += at[p][k] >= T(0);
        }
        base += static_cast<int>(all >> (8 * p) & 255u);
      }
    }
    all_arrive();
    // `to` is the start of the 16-byte vector of y that contains the tile's first output.
    T* const to = task.y + (before - shift);
    const int end = shift + of_tile;
    for (int v = static_cast<int>(threadIdx.x) * width; v < end; v += threads * width) {
      if (v >= shift && v + width <= end) {
        store_streaming(to + v, load<width>(kept + v));
      } else {
#pragma unroll
        for (int k = 0; k < width; ++k)
          if (v + k >= shift && v + k < end) to[v + k] = kept[v + k];
      }
    }
  }
  static __device__ __forceinline__ void total(const Task& task, std::int32_t all) { *task.count = all; }
};

}  // namespace sextant::compact

namespace sextant {
namespace {

// The textbook version: compute one flag per element, then the prefix sums of the flags in log2(n) passes,
// then move each kept element to its destination.
namespace doubling {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void flag(std::int64_t n, const T* __restrict__ a, std::int32_t* __restrict__ flags) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) flags[i] = a[i] >= 0 ? 1 : 0;
}

__global__ void sweep(std::int64_t n, std::int64_t distance, const std::int32_t* __restrict__ from,
                      std::int32_t* __restrict__ to) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i < distance ? from[i] : from[i - distance] + from[i];
}

template <typename T>
__global__ void write(std::int64_t n, const T* __restrict__ a, const std::int32_t* __restrict__ sums,
                      T* __restrict__ y, std::int32_t* __restrict__ count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (a[i] >= 0) y[sums[i] - 1] = a[i];
  if (i == n - 1) *count = sums[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const unsigned blocks = blocks_for(n, block);
  auto* flags = static_cast<std::int32_t*>(call.state);
  std::int32_t *sums = flags + n, *other = sums + n;
  flag<<<blocks, block, 0, stream_of(call)>>>(n, call.array<const T>(0), flags);
  inclusive_scan::for_sweeps(n, flags, sums, other,
                             [&](std::int64_t distance, const std::int32_t* from, std::int32_t* to) {
                               sweep<<<blocks, block, 0, stream_of(call)>>>(n, distance, from, to);
                             });
  write<<<blocks, block, 0, stream_of(call)>>>(n, call.array<const T>(0), sums, call.array<T>(1),
                                               call.array<std::int32_t>(2));
}

std::int64_t workspace(const Problem& problem, const Block&) {
  return 3 * problem.extents.x * static_cast<std::int64_t>(sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, {}))) == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the flags and their prefix sums";
}

}  // namespace doubling

namespace rounds_form {

using rounds::Shape;

constexpr int slots(int block, int rows, int blocks) {
  return rounds::slots_for(block * rows * 16, blocks, block * rows * 16 + 128);
}

template <typename T>
void launch(const Call& call) {
  const auto descriptors = static_cast<const lookback::Tickets*>(call.state)->descriptors<std::int32_t>();
  const auto shape = call.tuned<Shape>();
  rounds::with_shape<slots>(shape, [&]<int block, int rows, int blocks>() {
    rounds::launch<compact::ByRounds<block, rows, slots(block, rows, blocks), blocks, T>>(
        {call.array<T>(1), call.array<std::int32_t>(2)}, call.problem.extents.x, call.array<const T>(0),
        shape.staying(call.problem.type), descriptors, stream_of(call));
  });
}

void adapt(const Problem& problem, Shape& shape) { shape.l2_keep_mib = rounds::usual_l2_keep_mib(problem); }

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(rounds::tiles_of(problem, shape), sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(rounds::tiles_of(call.problem, call.tuned<Shape>()), sizeof(std::int32_t),
                                   state);
}

Variant form() {
  Variant variant = rounds::variant_with<slots>();
  variant.description =
      "one launch, one read: persistent blocks publish a later tile's count before they write this tile "
      "(Hopper)";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.adapt = by_name<adapt>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.for_large_arrays = true;
  return variant;
}

}  // namespace rounds_form

// Two launches that each read the input. First, each block counts the kept elements of its chunk. Then each
// block adds up the counts of the earlier chunks and writes its kept elements at that offset.
namespace two_pass {

using Blocks = Choices<256, 512>;
using Rows = Choices<2, 4>;

// The selectable numbers of blocks suit the 132 multiprocessors of an H200.
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
  // Two buffers, used by alternate tiles, so that one barrier per tile suffices.
  __shared__ int totals[2][block / 32];
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
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the counts of the chunks";
}

}  // namespace two_pass

}  // namespace

std::vector<Variant> compact_cuda() {
  return {
      named(
          "ballot",
          compact::single_pass_variant<false>(
              "one launch, one read: decoupled look-back over tiles; threads write kept elements directly")),
      {.name = "doubling",
       .description =
           "the plain form: one flag per element, prefix sums by log2(n) passes, then each kept element is "
           "moved",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<doubling::Block>({{"block_size", &doubling::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(doubling::launch),
       .prepare = doubling::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<doubling::workspace>},
      named("lookback", compact::single_pass_variant<true>(
                            "one launch, one read: decoupled look-back over tiles, written in order through "
                            "shared memory")),
      named("rounds", rounds_form::form()),
      {.name = "two_pass",
       .description = "two launches, two reads: count the kept elements of each chunk, then write them",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<two_pass::Shape>({{"block_size", &two_pass::Shape::block_size, two_pass::Blocks::list()},
                                      {"rows", &two_pass::Shape::rows, two_pass::Rows::list()},
                                      {"blocks", &two_pass::Shape::blocks, {132, 264, 528, 1056, 2112}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(two_pass::launch),
       .prepare = two_pass::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<two_pass::workspace>},
  };
}

}  // namespace sextant
