// A row a block, which keeps it in its threads' registers: one reading, one writing; the row's maximum and sum go through
// shared memory.
#include "row.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Blocks = Choices<64, 128, 256, 512, 1024>;
using Elements = Choices<4, 8, 16, 32>;  // of a row in a thread
constexpr std::size_t most_bytes =
    128;  // of them: half the registers that a block of 1024 threads leaves each

struct Shape {
  int block_size = 128, elements = 8;
  int capacity() const { return block_size * elements; }
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
      Elements::with(shape.elements, [&]<int elements>() {
        if constexpr (elements * sizeof(T) <= most_bytes)
          weigh<block, elements, width>
              <<<rows, block, 0, stream_of(call)>>>(columns, call.array<const T>(0), call.array<T>(1));
      });
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (static_cast<std::size_t>(shape.elements) * element_size(problem.type) > most_bytes)
    return "more than 128 bytes of a row in a thread";
  if (softmax::rows_of(problem) > INT32_MAX) return "more rows than a grid has blocks";
  return softmax::columns_of(problem) > shape.capacity() ? "a row of more elements than a block keeps"
                                                         : nullptr;
}

// The smallest block that keeps the row by 8 elements a thread, then more of them.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t columns = softmax::columns_of(problem);
  shape.elements = 8;
  for (const int block : Blocks::list()) {
    shape.block_size = block;
    if (columns <= shape.capacity()) return;
  }
  while (columns > shape.capacity() &&
         2 * static_cast<std::size_t>(shape.elements) * element_size(problem.type) <= most_bytes)
    shape.elements *= 2;
}

}  // namespace

Variant softmax_cuda_block_row() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a row in the registers of a block: one reading, one writing";
  variant.tunables = tunables<Shape>(
      {{"block_size", &Shape::block_size, Blocks::list()}, {"elements", &Shape::elements, Elements::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
