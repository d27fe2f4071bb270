

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

// Helpers of the CUDA variants.
namespace sextant::nbody {

// Reciprocal square root by the GPU's special-function unit. In float its result is accurate to 2 units in
// the last place. In double its result is only a start value, which one third-order Newton-like step refines.
struct UnitRoot {
  static __device__ __forceinline__ float reciprocal_root(float x) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
  static __device__ __forceinline__ double reciprocal_root(double x) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double rest = 1 - x * (y * y);
    return y + (y * rest) * (0.5 + 0.375 * rest);
  }
};

template <typename T>
struct alignas(16) Body {
  T x, y, z, m;
};

template <typename T>
struct Sum {
  T x, y, z;
};

// Loads body j, or a body without mass if j is beyond the last body.
template <typename T>
__device__ __forceinline__ Body<T> body_at(const Bodies<T>& all, int j, int n) {
  if (j < n) return {all.x[j], all.y[j], all.z[j], all.m[j]};
  return {0, 0, 0, 0};
}

template <typename T>
__device__ __forceinline__ void pull_by(const Body<T>& other, const Body<T>& body, Sum<T>& sum) {
  pull<UnitRoot>(other.x - body.x, other.y - body.y, other.z - body.z, other.m, sum.x, sum.y, sum.z);
}

template <typename T>
__device__ __forceinline__ void store(const Bodies<T>& all, int i, int n, const Sum<T>& sum) {
  if (i >= n) return;
  all.ax[i] = sum.x;
  all.ay[i] = sum.y;
  all.az[i] = sum.z;
}

// Sums `value` over all threads of the block with the same `thread % group`. Threads below `group` receive
// the results. The order of additions is a fixed tree, so results are reproducible. `scratch` holds one
// element per thread. block / group must be a power of two.
template <typename T>
__device__ __forceinline__ T sum_over_parts(T value, int group, T* scratch) {
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();
  scratch[thread] = value;
  for (int half = static_cast<int>(blockDim.x) / 2; half >= group; half /= 2) {
    __syncthreads();
    if (thread < half) scratch[thread] += scratch[thread + half];
  }
  return scratch[thread];
}

template <typename T>
__device__ __forceinline__ Sum<T> sum_over_parts(const Sum<T>& sum, int group, T* scratch) {
  return {sum_over_parts(sum.x, group, scratch), sum_over_parts(sum.y, group, scratch),
          sum_over_parts(sum.z, group, scratch)};
}

}  // namespace sextant::nbody

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

namespace direct {

template <typename T>
__global__ void attract(int n, nbody::Bodies<T> all) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const nbody::Body<T> body = nbody::body_at(all, i, n);
  nbody::Sum<T> sum = {0, 0, 0};
  for (int j = 0; j < n; ++j) nbody::pull_by(nbody::body_at(all, j, n), body, sum);
  nbody::store(all, i, n, sum);
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const int block = call.tuned<Block>().block_size;
  attract<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, nbody::Bodies<T>(call));
}

}  // namespace direct

// Register blocking: each thread computes several bodies, so that one read from shared memory serves all of
// them. If there are few bodies, the block's threads form `splits` groups. Each group sums over a part of the
// attracting bodies, and the sums are added at the end.
namespace registers {

using Blocks = Choices<128, 256, 512>;
using Counts = Choices<1, 2, 4>;

struct Shape {
  int block_size = 512, bodies_per_thread = 4, splits = 1;
};

// Computes the accelerations of `count` bodies per thread. Neighbouring threads have neighbouring bodies, so
// a thread's bodies are `group` apart. Each thread sums over `group` attracting bodies of each tile.
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

// Aims at 120 or more blocks, for the 132 multiprocessors of an H200. It first increases the number of
// splits, then decreases the number of bodies per thread.
void adapt(const Problem& problem, Shape& shape) {
  const auto blocks = [&] {
    return problem.extents.x / (shape.block_size / shape.splits * shape.bodies_per_thread);
  };
  while (blocks() < 120 && shape.splits < 16) shape.splits *= 2;
  while (blocks() < 120 && shape.bodies_per_thread > 1) shape.bodies_per_thread /= 2;
}

const char* refuse(const Problem&, const Shape& shape) {
  return shape.block_size / shape.splits < 32 ? "block_size / splits is less than a warp (32)" : nullptr;
}

}  // namespace registers

// The threads of a block load a tile of bodies into shared memory, one each. Then every thread reads all of
// them.
namespace shared_tile {

using Blocks = Choices<64, 128, 256, 512>;

template <int block, typename T>
__global__ void __launch_bounds__(block) attract(int n, nbody::Bodies<T> all) {
  __shared__ nbody::Body<T> tile[block];
  const int thread = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * block + thread;
  const nbody::Body<T> body = nbody::body_at(all, i, n);
  nbody::Sum<T> sum = {0, 0, 0};
  for (int begin = 0; begin < n; begin += block) {
    tile[thread] = nbody::body_at(all, begin + thread, n);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < block; ++k) nbody::pull_by(tile[k], body, sum);
    __syncthreads();
  }
  nbody::store(all, i, n, sum);
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  Blocks::with(call.tuned<Block>().block_size, [&]<int block>() {
    attract<block><<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, nbody::Bodies<T>(call));
  });
}

}  // namespace shared_tile

// For few bodies: each block computes a few bodies, and its threads divide the attracting bodies among
// themselves. They read the attracting bodies from caches.
namespace split {

struct Shape {
  int block_size = 512, bodies_per_block = 8;
};

template <typename T>
__global__ void __launch_bounds__(1024) attract(int n, int bodies, nbody::Bodies<T> all) {
  extern __shared__ __align__(16) unsigned char bytes[];
  const int thread = static_cast<int>(threadIdx.x), part = thread / bodies,
            parts = static_cast<int>(blockDim.x) / bodies,
            i = static_cast<int>(blockIdx.x) * bodies + thread % bodies;
  const nbody::Body<T> body = nbody::body_at(all, i, n);
  nbody::Sum<T> sum = {0, 0, 0};
#pragma unroll 4
  for (int j = part; j < n; j += parts) nbody::pull_by(nbody::body_at(all, j, n), body, sum);
  sum = nbody::sum_over_parts(sum, bodies, reinterpret_cast<T*>(bytes));
  if (part == 0) nbody::store(all, i, n, sum);
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto shape = call.tuned<Shape>();
  attract<<<blocks_for(n, shape.bodies_per_block), shape.block_size,
            static_cast<std::size_t>(shape.block_size) * sizeof(T), stream_of(call)>>>(
      n, shape.bodies_per_block, nbody::Bodies<T>(call));
}

}  // namespace split

}  // namespace

std::vector<Variant> nbody_cuda() {
  return {
      {.name = "direct",
       .description = "the plain form: one body per thread, which reads the other bodies from caches",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128, 256, 512}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(direct::launch)},
      {.name = "registers",
       .description = "bodies_per_thread bodies share each read from shared memory; splits groups of threads "
                      "divide the attracting bodies",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<registers::Shape>(
           {{"block_size", &registers::Shape::block_size, registers::Blocks::list()},
            {"bodies_per_thread", &registers::Shape::bodies_per_thread, registers::Counts::list()},
            {"splits", &registers::Shape::splits, {1, 2, 4, 8, 16}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(registers::launch),
       .constraint = by_name<registers::refuse>,
       .adapt = by_name<registers::adapt>},
      {.name = "shared_tile",
       .description = "one body per thread; attracting bodies in tiles in shared memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Block>({{"block_size", &Block::block_size, shared_tile::Blocks::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(shared_tile::launch)},
      {.name = "split",
       .description = "for few bodies: all threads of a block divide the attracting bodies among themselves",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<split::Shape>({{"block_size", &split::Shape::block_size, {128, 256, 512, 1024}},
                                   {"bodies_per_block", &split::Shape::bodies_per_block, {2, 4, 8, 16, 32}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(split::launch)},
  };
}

}  // namespace sextant
