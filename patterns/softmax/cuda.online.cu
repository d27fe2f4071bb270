// A row a block, whatever its length: maximum and sum in one reading, then powers are taken anew as they are written.
#include "row.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

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
  return softmax::rows_of(problem) > INT32_MAX ? "more rows than a grid has blocks" : nullptr;
}

// About four vectors a thread, as many as it has under way.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes =
      softmax::columns_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
  for (const int block : Blocks::list()) {
    shape.block_size = block;
    if (bytes <= std::int64_t{block} * 16 * softmax::under_way) return;
  }
}

}  // namespace

Variant softmax_cuda_online() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a row a block: maximum and sum in one reading, powers anew in a second";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
