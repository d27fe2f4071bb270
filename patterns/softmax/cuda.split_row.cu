// Few long rows: many blocks share a row, in two launches. Each finds the maximum and the sum of its part; then each takes in
// what all parts of its row have, and writes its part, whose second reading the L2 cache may serve.
#include "row.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Blocks = Choices<128, 256, 512>;

struct Shape {
  int block_size = 256, parts = 32;
};

// The part of a row that the calling block has, a multiple of `width` long but for the last.
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
  const auto blocks = static_cast<unsigned>(softmax::rows_of(call.problem) * shape.parts);
  const auto columns = static_cast<int>(softmax::columns_of(call.problem));
  const T* x = call.array<const T>(0);
  auto* extents = static_cast<softmax::Extent<T>*>(call.state);
  softmax::with_width<T>(call.problem, [&]<int width>() {
    Blocks::with(shape.block_size, [&]<int block>() {
      find_extents<block, width><<<blocks, block, 0, stream_of(call)>>>(columns, shape.parts, x, extents);
      write<block, width>
          <<<blocks, block, 0, stream_of(call)>>>(columns, shape.parts, x, extents, call.array<T>(1));
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return softmax::rows_of(problem) * shape.parts > INT32_MAX ? "more parts than a grid has blocks" : nullptr;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return softmax::rows_of(problem) * shape.parts * 2 * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()))) ==
      cudaSuccess)
    return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for what parts have";
}

// Some eight blocks for each of an H200's 132 multiprocessors, none with less than a vector or two a thread.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t most = softmax::columns_of(problem) / (shape.block_size * 4);
  shape.parts = 1;
  while (2 * shape.parts <= most && softmax::rows_of(problem) * shape.parts < 1056 && shape.parts < 512)
    shape.parts *= 2;
}

}  // namespace

Variant softmax_cuda_split_row() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "parts of a row for as many blocks: maximum and sum of parts, then the powers; two launches";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"parts", &Shape::parts, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
