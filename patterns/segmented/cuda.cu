#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant {
namespace {

namespace block {

using Blocks = Choices<32, 64, 128, 256, 512>;

struct Block {
  int block_size = 64;
};

template <int block, typename T>
__global__ void __launch_bounds__(block)
    sum_segments(const std::int32_t* __restrict__ o, const T* __restrict__ a, T* __restrict__ y) {
  __shared__ T totals[block / 32];
  const std::int64_t end = o[blockIdx.x + 1];
  T sum = 0;
  for (std::int64_t i = o[blockIdx.x] + static_cast<std::int64_t>(threadIdx.x); i < end; i += block)
    sum += a[i];
  const WarpTotals<block, T> warps(warp_sum(sum), totals);
  if (threadIdx.x == 0) y[blockIdx.x] = warps.all;
}

template <typename T>
void launch(const Call& call) {
  Blocks::with(call.tuned<Block>().block_size, [&]<int block>() {
    sum_segments<block><<<static_cast<unsigned>(call.problem.extents.x), block, 0, stream_of(call)>>>(
        call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace block

namespace lanes {

using Lanes = Choices<2, 4, 8, 16, 32>;

struct Shape {
  int block_size = 256, lanes = 8;
};

template <int lanes, typename T>
__global__ void sum_segments(std::int64_t m, const std::int32_t* __restrict__ o, const T* __restrict__ a,
                             T* __restrict__ y) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t j = thread / lanes;
  const int lane = static_cast<int>(thread % lanes);
  const std::int64_t begin = j < m ? o[j] : 0, end = j < m ? o[j + 1] : 0;
  T sum = 0;
  for (std::int64_t i = begin + lane; i < end; i += lanes) sum += a[i];
#pragma unroll
  for (int step = lanes / 2; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (j < m && lane == 0) y[j] = sum;
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t m = call.problem.extents.x;
  Lanes::with(shape.lanes, [&]<int lanes>() {
    sum_segments<lanes><<<blocks_for(m * lanes, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
        m, call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace lanes

// One segment per thread. A thread reads aligned 16-byte packs that cover the segment, several at a time. It
// ignores elements of the first and last pack that are outside the segment.
namespace packs {

using Counts = Choices<1, 2, 3, 4, 5>;

struct Shape {
  int block_size = 128, vectors_per_thread = 4;  // vectors_per_thread: packs loaded at a time
};

template <int packs, typename T>
__global__ void sum_segments(int m, int n, const std::int32_t* __restrict__ o, const T* __restrict__ a,
                             T* __restrict__ y) {
  constexpr int width = vector_length<T>;
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= m) return;
  const int begin = o[j], end = o[j + 1], whole = n / width * width;
  const auto length = static_cast<unsigned>(end - begin);
  T sum = 0;
  for (int first = begin / width * width; first < end; first += packs * width) {
    Vector<T, width> pack[packs] = {};
#pragma unroll
    for (int p = 0; p < packs; ++p) {
      const int at = first + p * width;
      if (at < end) {
        if (at < whole) {
          pack[p] = load<width>(a + at);
        } else {
#pragma unroll
          for (int k = 0; k < width; ++k)
            if (at + k < end) pack[p][k] = a[at + k];
        }
      }
    }
#pragma unroll
    for (int p = 0; p < packs; ++p)
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (static_cast<unsigned>(first + p * width + k - begin) < length) sum += pack[p][k];
  }
  y[j] = sum;
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto m = static_cast<int>(call.problem.extents.x),
             n = static_cast<int>(segmented::elements_of(call.problem));
  Counts::with(shape.vectors_per_thread, [&]<int packs>() {
    sum_segments<packs><<<blocks_for(m, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
        m, n, call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

// Chosen from timings on an H200. With many 4-byte elements, two packs per thread keep enough loads in
// flight, and fewer loaded packs lie beyond the segment.
void adapt(const Problem& problem, Shape& shape) {
  if (problem.type != ElementType::float64 && segmented::elements_of(problem) > 1 << 22)
    shape.vectors_per_thread = 2;
}

const char* refuse(const Problem& problem, const Shape&) {
  return segmented::elements_of(problem) > INT32_MAX - 1024 ? "more elements than an int32 can count"
                                                            : nullptr;
}

}  // namespace packs

namespace thread {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void sum_segments(std::int64_t m, const std::int32_t* __restrict__ o, const T* __restrict__ a,
                             T* __restrict__ y) {
  const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j >= m) return;
  const std::int64_t end = o[j + 1];
  T sum = 0;
  for (std::int64_t i = o[j]; i < end; ++i) sum += a[i];
  y[j] = sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  sum_segments<<<blocks_for(m, block), block, 0, stream_of(call)>>>(m, call.array<const std::int32_t>(0),
                                                                    call.array<const T>(1), call.array<T>(2));
}

}  // namespace thread

}  // namespace

std::vector<Variant> segmented_cuda() {
  return {
      {.name = "block",
       .description = "one segment per block; suits long segments",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<block::Block>({{"block_size", &block::Block::block_size, block::Blocks::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(block::launch)},
      {.name = "lanes",
       .description = "2 to 32 lanes of a warp per segment",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<lanes::Shape>({{"block_size", &lanes::Shape::block_size, BlockSizes::list()},
                                           {"lanes", &lanes::Shape::lanes, lanes::Lanes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(lanes::launch)},
      {.name = "vectors_per_thread",
       .description = "one segment per thread, by aligned 16-byte accesses",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<packs::Shape>(
           {{"block_size", &packs::Shape::block_size, BlockSizes::list()},
            {"vectors_per_thread", &packs::Shape::vectors_per_thread, packs::Counts::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(packs::launch),
       .constraint = by_name<packs::refuse>,
       .adapt = by_name<packs::adapt>},
      {.name = "thread",
       .description = "one segment per thread; accesses are not coalesced, and a warp waits for its longest "
                      "segment",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<thread::Block>({{"block_size", &thread::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(thread::launch)},
  };
}

}  // namespace sextant
