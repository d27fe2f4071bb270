// A system of at most 512 unknowns for some lanes of a warp, with 4 to 16 rows each in registers: one reading, one writing, no
// shared memory.
#include "rows.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using RowCounts = Choices<4, 8, 16>;

struct Shape {
  int rows = 8, lanes = 32, block_size = 128;
};

template <int K, int width, typename T>
__global__ void solve(std::int64_t systems, int length, int lanes, tridiagonal::Arrays<T> arrays) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % lanes;
  const std::int64_t system = static_cast<std::int64_t>(blockIdx.x) * (static_cast<int>(blockDim.x) / lanes) +
                              thread / lanes,
                     first = system * length + lane * K;
  const int there = system < systems ? length - lane * K : 0;
  const tridiagonal::Coefficients<K, width, T> given(arrays, first, there);
  tridiagonal::Rows<K, T> rows;
  rows.eliminate(given.a, given.b, given.c, given.d);
  const T last = tridiagonal::last_of_lane(rows.segment(), lanes);
  T x[K];
  rows.finish(__shfl_up_sync(~0u, last, 1, lanes), last, x);
  tridiagonal::store_rows<K, width>(x, arrays.x + first, there);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t systems = tridiagonal::systems_of(call.problem);
  tridiagonal::with_width<T>(call.problem, [&]<int width>() {
    RowCounts::with(shape.rows, [&]<int K>() {
      solve<K, width, T>
          <<<blocks_for(systems * shape.lanes, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
              systems, static_cast<int>(tridiagonal::length_of(call.problem)), shape.lanes,
              tridiagonal::Arrays<T>(call));
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return tridiagonal::length_of(problem) > shape.rows * shape.lanes ? "more unknowns than the lanes keep"
                                                                    : nullptr;
}

// As few lanes as keep the system by 8 rows each, or by 16.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t length = tridiagonal::length_of(problem);
  shape.rows = length <= 4 ? 4 : length <= 256 ? 8 : 16;
  for (shape.lanes = 1; shape.lanes < 32 && length > shape.rows * shape.lanes;) shape.lanes *= 2;
}

}  // namespace

Variant tridiagonal_cuda_lanes() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "at most 512 unknowns in the registers of some lanes, whose ends they reduce by shuffles";
  variant.tunables = tunables<Shape>({{"rows", &Shape::rows, RowCounts::list()},
                                      {"lanes", &Shape::lanes, {1, 2, 4, 8, 16, 32}},
                                      {"block_size", &Shape::block_size, {64, 128, 256}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
