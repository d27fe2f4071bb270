// A row for some lanes of a warp, which keep it in their registers: one reading, one writing, no shared memory.
#include "row.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lanes = Choices<2, 8, 32>;
using Elements = Choices<4, 8, 16, 32>;  // of a row in a lane

struct Shape {
  int lanes = 32, elements = 32, block_size = 256;
  int capacity() const { return lanes * elements; }
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
      Elements::with(shape.elements, [&]<int elements>() {
        weigh<lanes, elements, width>
            <<<blocks_for(rows * lanes, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
                rows, columns, call.array<const T>(0), call.array<T>(1));
      });
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return softmax::columns_of(problem) > shape.capacity() ? "a row of more elements than its lanes keep"
                                                         : nullptr;
}

// Lanes enough that what they read at once is most of a short row, and no more registers than the row takes.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t columns = softmax::columns_of(problem);
  shape.lanes = columns <= 2 * 4 ? 2 : columns <= 8 * 16 ? 8 : 32;
  for (const int elements : Elements::list()) {
    shape.elements = elements;
    if (columns <= shape.capacity()) return;
  }
}

}  // namespace

Variant softmax_cuda_warp_row() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "a row of at most 1024 elements in the registers of 2 to 32 lanes: one reading, one writing";
  variant.tunables = tunables<Shape>({{"lanes", &Shape::lanes, Lanes::list()},
                                      {"elements", &Shape::elements, Elements::list()},
                                      {"block_size", &Shape::block_size, {64, 128, 256, 512}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
