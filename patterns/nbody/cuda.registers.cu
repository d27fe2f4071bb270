// Some bodies a thread, so that a read from shared memory serves all of them. Where there are few bodies, `splits` parts of a block share
// what pulls at the same ones, and add up at the end.
#include "pull.cuh"

namespace sextant {
namespace {

using Blocks = Choices<128, 256, 512>;
using Counts = Choices<1, 2, 4>;

struct Shape {
  int block_size = 512, bodies_per_thread = 4, splits = 1;
};

// The calling thread's bodies are `group` apart, so that neighbours have neighbours; its part of a tile is `group` long.
template <int block, int count, typename T>
__global__ void __launch_bounds__(block) attract(int n, int group, nbody::Bodies<T> all) {
  __shared__ nbody::Body<T> tile[block];
  const int thread = static_cast<int>(threadIdx.x), part = thread / group * group,
            first = static_cast<int>(blockIdx.x) * group * count + thread - part;
  nbody::Body<T> body[count];
  nbody::Sum<T> sum[count];
#pragma unroll
  for (int b = 0; b < count; ++b) {
    body[b] = nbody::body_at(all, first + b * group, n);
    sum[b] = {0, 0, 0};
  }
  for (int begin = 0; begin < n; begin += block) {
    tile[thread] = nbody::body_at(all, begin + thread, n);
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < group; ++k) {
      const nbody::Body<T> other = tile[part + k];
#pragma unroll
      for (int b = 0; b < count; ++b) nbody::pull_by(other, body[b], sum[b]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int b = 0; b < count; ++b) {
    if (group < block) sum[b] = nbody::sum_over_parts(sum[b], group, reinterpret_cast<T*>(tile));
    if (part == 0) nbody::store(all, first + b * group, n, sum[b]);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto shape = call.tuned<Shape>();
  Blocks::with(shape.block_size, [&]<int block>() {
    Counts::with(shape.bodies_per_thread, [&]<int count>() {
      const int group = block / shape.splits;
      attract<block, count>
          <<<blocks_for(n, group * count), block, 0, stream_of(call)>>>(n, group, nbody::Bodies<T>(call));
    });
  });
}

// Blocks for all of an H200's 132 multiprocessors, or nearly so: first by sharing what pulls, then by fewer bodies a thread.
void adapt(const Problem& problem, Shape& shape) {
  const auto blocks = [&] {
    return problem.extents.x / (shape.block_size / shape.splits * shape.bodies_per_thread);
  };
  while (blocks() < 120 && shape.splits < 16) shape.splits *= 2;
  while (blocks() < 120 && shape.bodies_per_thread > 1) shape.bodies_per_thread /= 2;
}

const char* refuse(const Problem&, const Shape& shape) {
  return shape.block_size / shape.splits < 32 ? "parts of a block of less than a warp" : nullptr;
}

}  // namespace

Variant nbody_cuda_registers() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "up to 4 bodies a thread for each read from shared memory; parts of a block share what pulls at few bodies";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"bodies_per_thread", &Shape::bodies_per_thread, Counts::list()},
                                      {"splits", &Shape::splits, {1, 2, 4, 8, 16}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
