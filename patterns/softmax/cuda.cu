#include "row.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

// Each block processes one row and keeps it in registers, so that memory is read and written once. Its
// threads combine their maxima and sums through shared memory.
namespace block_row {

using Blocks = Choices<64, 128, 256, 512, 1024>;
using Elements = Choices<4, 8, 16, 32>;  // elements of a row per thread
// maximum bytes of elements per thread: half the registers that a thread has in a block of 1024 threads
constexpr std::size_t most_bytes = 128;

struct Shape {
  int block_size = 128, elements_per_thread = 8;
  int capacity() const { return block_size * elements_per_thread; }
};

template <int block, int elements, int width, typename T>
__global__ void __launch_bounds__(block) weigh(int columns, const T* __restrict__ x, T* __restrict__ y) {
  __shared__ T of_warps[2][block / 32];
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * columns;
  const int thread = static_cast<int>(threadIdx.x);
  softmax::Part<block, elements, width, T> part;
  part.load(x + first, columns, thread);
  const T most =
      softmax::of_block<block>(part.largest(), softmax::Largest(), softmax::least_number<T>, of_warps[0]);
  const T sum = softmax::of_block<block>(part.take_powers(most), softmax::Sum(), T(0), of_warps[1]);
  part.store(y + first, columns, thread, 1 / sum);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto rows = static_cast<unsigned>(softmax::rows_of(call.problem));
  const auto columns = static_cast<int>(softmax::columns_of(call.problem));
  softmax::with_width<T>(call.problem, [&]<int width>() {
    Blocks::with(shape.block_size, [&]<int block>() {
      Elements::with(shape.elements_per_thread, [&]<int elements>() {
        if constexpr (elements * sizeof(T) <= most_bytes)
          weigh<block, elements, width>
              <<<rows, block, 0, stream_of(call)>>>(columns, call.array<const T>(0), call.array<T>(1));
      });
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (static_cast<std::size_t>(shape.elements_per_thread) * element_size(problem.type) > most_bytes)
    return "more than 128 bytes per thread: choose a smaller elements_per_thread";
  if (softmax::rows_of(problem) > INT32_MAX) return "more rows than a grid can have blocks";
  return softmax::columns_of(problem) > shape.capacity()
             ? "a row has more than block_size * elements_per_thread elements"
             : nullptr;
}

// Chooses the smallest block that holds the row with 8 elements per thread. If the largest block is too
// small, chooses more elements per thread.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t columns = softmax::columns_of(problem);
  shape.elements_per_thread = 8;
  for (const int block : Blocks::list()) {
    shape.block_size = block;
    if (columns <= shape.capacity()) return;
  }
  while (columns > shape.capacity() &&
         2 * static_cast<std::size_t>(shape.elements_per_thread) * element_size(problem.type) <= most_bytes)
    shape.elements_per_thread *= 2;
}

}  // namespace block_row

// Online softmax: each block processes one row of any length. The first pass computes maximum and sum
// together. The second recomputes the exponentials and writes the results.
namespace online {

using Blocks = Choices<64, 128, 256, 512, 1024>;

struct Shape {
  int block_size = 256;
};

template <int block, int width, typename T>
__global__ void __launch_bounds__(block) weigh(int columns, const T* __restrict__ x, T* __restrict__ y) {
  __shared__ T of_warps[2 * block / 32];
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * columns;
  const auto mine = softmax::extent_of<block, width>(x + first, 0, columns);
  const auto row = softmax::of_block<block>(mine, of_warps);
  softmax::write_powers<block, width>(x + first, 0, columns, row, y + first);
}

template <typename T>
void launch(const Call& call) {
  const auto rows = static_cast<unsigned>(softmax::rows_of(call.problem));
  const auto columns = static_cast<int>(softmax::columns_of(call.problem));
  softmax::with_width<T>(call.problem, [&]<int width>() {
    Blocks::with(call.tuned<Shape>().block_size, [&]<int block>() {
      weigh<block, width>
          <<<rows, block, 0, stream_of(call)>>>(columns, call.array<const T>(0), call.array<T>(1));
    });
  });
}

const char* refuse(const Problem& problem, const Shape&) {
  return softmax::rows_of(problem) > INT32_MAX ? "more rows than a grid can have blocks" : nullptr;
}

// Chooses the block size such that a thread has about four vectors of the row, all of which it loads at once.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes =
      softmax::columns_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
  for (const int block : Blocks::list()) {
    shape.block_size = block;
    if (bytes <= std::int64_t{block} * 16 * softmax::under_way) return;
  }
}

}  // namespace online

// For few long rows: several blocks share a row, in two launches. The first computes the maximum and sum of
// each chunk of a row. The second combines the values of all chunks of a row and writes the results; its
// reads may hit the L2 cache.
namespace split_row {

using Blocks = Choices<128, 256, 512>;

struct Shape {
  int block_size = 256, chunks_per_row = 32;
};

// The chunk of a row that the calling block processes. Chunk lengths are multiples of `width`, except for the
// last chunk of a row.
struct Range {
  std::int64_t row;
  int begin, end;
};
template <int width>
__device__ __forceinline__ Range range_of(int columns, int parts) {
  const int length = (columns / width + parts) / parts * width;
  const int begin = min(columns, static_cast<int>(blockIdx.x) % parts * length);
  return {static_cast<std::int64_t>(blockIdx.x) / parts, begin, min(columns, begin + length)};
}

template <int block, int width, typename T>
__global__ void __launch_bounds__(block)
    find_extents(int columns, int parts, const T* __restrict__ x, softmax::Extent<T>* __restrict__ extents) {
  __shared__ T of_warps[2 * block / 32];
  const Range range = range_of<width>(columns, parts);
  const auto mine = softmax::extent_of<block, width>(x + range.row * columns, range.begin, range.end);
  const auto part = softmax::of_block<block>(mine, of_warps);
  if (threadIdx.x == 0) extents[blockIdx.x] = part;
}

template <int block, int width, typename T>
__global__ void __launch_bounds__(block)
    write(int columns, int parts, const T* __restrict__ x, const softmax::Extent<T>* __restrict__ extents,
          T* __restrict__ y) {
  __shared__ T of_warps[2 * block / 32];
  const Range range = range_of<width>(columns, parts);
  softmax::Extent<T> mine;
  for (int part = static_cast<int>(threadIdx.x); part < parts; part += block) {
    const softmax::Extent<T> other = extents[range.row * parts + part];
    mine.join(other.most, other.sum);
  }
  const auto row = softmax::of_block<block>(mine, of_warps);
  softmax::write_powers<block, width>(x + range.row * columns, range.begin, range.end, row,
                                      y + range.row * columns);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto blocks = static_cast<unsigned>(softmax::rows_of(call.problem) * shape.chunks_per_row);
  const auto columns = static_cast<int>(softmax::columns_of(call.problem));
  const T* x = call.array<const T>(0);
  auto* extents = static_cast<softmax::Extent<T>*>(call.state);
  softmax::with_width<T>(call.problem, [&]<int width>() {
    Blocks::with(shape.block_size, [&]<int block>() {
      find_extents<block, width>
          <<<blocks, block, 0, stream_of(call)>>>(columns, shape.chunks_per_row, x, extents);
      write<block, width><<<blocks, block, 0, stream_of(call)>>>(columns, shape.chunks_per_row, x, extents,
                                                                 call.array<T>(1));
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return softmax::rows_of(problem) * shape.chunks_per_row > INT32_MAX
             ? "rows * chunks_per_row exceeds the number of blocks that a grid can have"
             : nullptr;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return softmax::rows_of(problem) * shape.chunks_per_row * 2 *
         static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()))) ==
      cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the maxima and sums of chunks";
}

// Chooses about eight blocks for each of an H200's 132 multiprocessors, but at least four elements per
// thread.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t most = softmax::columns_of(problem) / (shape.block_size * 4);
  shape.chunks_per_row = 1;
  while (2 * shape.chunks_per_row <= most && softmax::rows_of(problem) * shape.chunks_per_row < 1056 &&
         shape.chunks_per_row < 512)
    shape.chunks_per_row *= 2;
}

}  // namespace split_row

namespace thread_row {

struct Block {
  int block_size = 128;
};

template <typename T>
__global__ void weigh(std::int64_t rows, std::int64_t columns, const T* __restrict__ x, T* __restrict__ y) {
  const std::int64_t r = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const T* row = x + r * columns;
  T* to = y + r * columns;
  T most = row[0], sum = 0;
  for (std::int64_t c = 1; c < columns; ++c) most = max(most, row[c]);
  for (std::int64_t c = 0; c < columns; ++c) sum += to[c] = exp(row[c] - most);
  for (std::int64_t c = 0; c < columns; ++c) to[c] /= sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = softmax::rows_of(call.problem);
  const int block = call.tuned<Block>().block_size;
  weigh<<<blocks_for(rows, block), block, 0, stream_of(call)>>>(rows, softmax::columns_of(call.problem),
                                                                call.array<const T>(0), call.array<T>(1));
}

}  // namespace thread_row

// Groups of lanes of a warp process one row each and keep it in registers. Memory is read and written once,
// and no shared memory is needed.
namespace warp_row {

using Lanes = Choices<2, 8, 32>;
using Elements = Choices<4, 8, 16, 32>;  // elements of a row per lane

struct Shape {
  int lanes = 32, elements_per_thread = 32, block_size = 256;
  int capacity() const { return lanes * elements_per_thread; }
};

template <int lanes, int elements, int width, typename T>
__global__ void weigh(std::int64_t rows, int columns, const T* __restrict__ x, T* __restrict__ y) {
  const std::int64_t r = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  const int lane = static_cast<int>(threadIdx.x % lanes), there = r < rows ? columns : 0;
  softmax::Part<lanes, elements, width, T> part;
  part.load(x + r * columns, there, lane);
  const T most = softmax::of_lanes<lanes>(part.largest(), softmax::Largest());
  const T sum = softmax::of_lanes<lanes>(part.take_powers(most), softmax::Sum());
  part.store(y + r * columns, there, lane, 1 / sum);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t rows = softmax::rows_of(call.problem);
  const auto columns = static_cast<int>(softmax::columns_of(call.problem));
  softmax::with_width<T>(call.problem, [&]<int width>() {
    Lanes::with(shape.lanes, [&]<int lanes>() {
      Elements::with(shape.elements_per_thread, [&]<int elements>() {
        weigh<lanes, elements, width>
            <<<blocks_for(rows * lanes, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
                rows, columns, call.array<const T>(0), call.array<T>(1));
      });
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return softmax::columns_of(problem) > shape.capacity()
             ? "a row has more than lanes * elements_per_thread elements"
             : nullptr;
}

// Chooses fewer lanes for short rows, so that all lanes have elements. Then chooses the fewest elements per
// lane that hold the row.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t columns = softmax::columns_of(problem);
  shape.lanes = columns <= 2 * 4 ? 2 : columns <= 8 * 16 ? 8 : 32;
  for (const int elements : Elements::list()) {
    shape.elements_per_thread = elements;
    if (columns <= shape.capacity()) return;
  }
}

}  // namespace warp_row

}  // namespace

std::vector<Variant> softmax_cuda() {
  return {
      {.name = "block_row",
       .description = "one row per block, in registers, read and written once",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<block_row::Shape>(
           {{"block_size", &block_row::Shape::block_size, block_row::Blocks::list()},
            {"elements_per_thread", &block_row::Shape::elements_per_thread, block_row::Elements::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(block_row::launch),
       .constraint = by_name<block_row::refuse>,
       .adapt = by_name<block_row::adapt>},
      {.name = "online",
       .description = "one row per block, two passes: maximum and sum together, then the exponentials again",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<online::Shape>({{"block_size", &online::Shape::block_size, online::Blocks::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(online::launch),
       .constraint = by_name<online::refuse>,
       .adapt = by_name<online::adapt>},
      {.name = "split_row",
       .description = "chunks_per_row blocks per row, two launches: maximum and sum of chunks, then the "
                      "results",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<split_row::Shape>(
           {{"block_size", &split_row::Shape::block_size, split_row::Blocks::list()},
            {"chunks_per_row", &split_row::Shape::chunks_per_row, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(split_row::launch),
       .constraint = by_name<split_row::refuse>,
       .adapt = by_name<split_row::adapt>,
       .prepare = split_row::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<split_row::workspace>},
      {.name = "thread_row",
       .description = "the plain form: the plain loop, one row per thread",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<thread_row::Block>({{"block_size", &thread_row::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(thread_row::launch)},
      {.name = "warp_row",
       .description = "one row of at most 1024 elements per group of lanes, in registers, read and written "
                      "once",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<warp_row::Shape>(
           {{"lanes", &warp_row::Shape::lanes, warp_row::Lanes::list()},
            {"elements_per_thread", &warp_row::Shape::elements_per_thread, warp_row::Elements::list()},
            {"block_size", &warp_row::Shape::block_size, {64, 128, 256, 512}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(warp_row::launch),
       .constraint = by_name<warp_row::refuse>,
       .adapt = by_name<warp_row::adapt>},
  };
}

}  // namespace sextant
