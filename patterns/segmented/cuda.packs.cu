// A segment a thread, by 16-byte packs from the last aligned element at or before its first one: what does not belong to it is not added. Some
// packs are under way together.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Counts = Choices<1, 2, 3, 4, 5>;

struct Shape {
  int block_size = 128, packs = 4;  // of a thread on their way
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
  Counts::with(shape.packs, [&]<int packs>() {
    sum_segments<packs><<<blocks_for(m, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
        m, n, call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

// As timed on an H200: many segments of 4-byte elements leave enough under way with two packs each, and go through fewer that are none.
void adapt(const Problem& problem, Shape& shape) {
  if (problem.type != ElementType::float64 && segmented::elements_of(problem) > 1 << 22) shape.packs = 2;
}

const char* refuse(const Problem& problem, const Shape&) {
  return segmented::elements_of(problem) > INT32_MAX - 1024 ? "more elements than an int32 counts" : nullptr;
}

}  // namespace

Variant segmented_cuda_packs() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a segment a thread, by 16-byte packs that begin at or before it";
  variant.tunables = tunables<Shape>(
      {{"block_size", &Shape::block_size, BlockSizes::list()}, {"packs", &Shape::packs, Counts::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
