#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

// The values of x and y that one CUDA thread handles, in accesses of up to 16 bytes. Neighbouring threads
// access neighbouring data.
namespace sextant::horner {

using Values = Choices<1, 2, 4, 8, 16>;
using Blocks = Choices<64, 128, 256>;

struct Shape {
  int block_size = 256, values_per_thread = 8;
};

template <int values, typename T>
struct Share {
  static constexpr int width = values < vector_length<T> ? values : vector_length<T>,
                       accesses = values / width;
  T place[values], sum[values];

  // Index of the first element of the thread's access number a.
  static __device__ __forceinline__ std::int64_t begin(int a) {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x * values +
           static_cast<std::int64_t>(a * blockDim.x + threadIdx.x) * width;
  }

  __device__ __forceinline__ void load(std::int64_t n, const T* __restrict__ x) {
#pragma unroll
    for (int a = 0; a < accesses; ++a) {
      const std::int64_t i = begin(a);
      if (i + width <= n) {
        const auto vector = sextant::load<width>(x + i);
#pragma unroll
        for (int k = 0; k < width; ++k) place[a * width + k] = vector[k];
      } else {
#pragma unroll
        for (int k = 0; k < width; ++k) place[a * width + k] = i + k < n ? x[i + k] : T(0);
      }
    }
  }

  __device__ __forceinline__ void start(T first) {
#pragma unroll
    for (int v = 0; v < values; ++v) sum[v] = first;
  }

  __device__ __forceinline__ void step(T next) {
#pragma unroll
    for (int v = 0; v < values; ++v) sum[v] = sum[v] * place[v] + next;
  }

  __device__ __forceinline__ void store(std::int64_t n, T* __restrict__ y) const {
#pragma unroll
    for (int a = 0; a < accesses; ++a) {
      const std::int64_t i = begin(a);
      if (i + width <= n) {
        Vector<T, width> vector;
#pragma unroll
        for (int k = 0; k < width; ++k) vector[k] = sum[a * width + k];
        store_streaming(y + i, vector);
      } else {
#pragma unroll
        for (int k = 0; k < width; ++k)
          if (i + k < n) y[i + k] = sum[a * width + k];
      }
    }
  }
};

// Chooses up to eight values per thread, so that their dependent steps overlap. Small problems get fewer, to
// fill an H200 (132 multiprocessors of 2048 threads).
inline void adapt(const Problem& problem, Shape& shape) {
  shape.values_per_thread = 8;
  while (shape.values_per_thread > 1 && problem.extents.x / shape.values_per_thread < 132 * 2048)
    shape.values_per_thread /= 2;
  if (problem.extents.x < 132 * 2048) shape.block_size = 128;
}

// Calls run.template operator()<values>(blocks, threads per block).
template <typename Run>
void with_shape(const Call& call, const Run& run) {
  const auto shape = call.tuned<Shape>();
  Values::with(shape.values_per_thread, [&]<int values>() {
    run.template operator()<values>(
        blocks_for(call.problem.extents.x, std::int64_t{shape.block_size} * values), shape.block_size);
  });
}

inline Variant share_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"values_per_thread", &Shape::values_per_thread, Values::list()}});
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace sextant::horner

// Evaluation with coefficients in shared memory. A block stores them in the order of use, c[d - 1] first.
namespace sextant::horner {

inline constexpr int group = 8;  // coefficients that a thread reads at a time

// Horner's scheme: each step needs the result of the previous one.
struct OneByOne {
  template <int values, typename T>
  static __device__ __forceinline__ void steps(const T (&next)[group], Share<values, T>& share) {
#pragma unroll
    for (int k = 0; k < group; ++k) share.step(next[k]);
  }
};

// Estrin's scheme: eight coefficients are combined in pairs, the pairs in pairs and so on. One step in x^8
// adds them to the sum. It takes as many multiplications and additions as Horner's scheme, and three
// squarings.
struct ByPairs {
  template <int values, typename T>
  static __device__ __forceinline__ void steps(const T (&next)[group], Share<values, T>& share) {
#pragma unroll
    for (int v = 0; v < values; ++v) {
      const T x = share.place[v], x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
      const T high = (next[0] * x + next[1]) * x2 + (next[2] * x + next[3]),
              low = (next[4] * x + next[5]) * x2 + (next[6] * x + next[7]);
      share.sum[v] = share.sum[v] * x8 + (high * x4 + low);
    }
  }
};

template <int values, typename Order, typename T>
__global__ void __launch_bounds__(256) evaluate_shared(std::int64_t n, int degree, const T* __restrict__ c,
                                                       const T* __restrict__ x, T* __restrict__ y) {
  extern __shared__ __align__(16) unsigned char bytes[];
  T* const ordered = reinterpret_cast<T*>(bytes);
  for (int k = static_cast<int>(threadIdx.x); k < degree; k += static_cast<int>(blockDim.x))
    ordered[k] = c[degree - 1 - k];
  Share<values, T> share;
  share.load(n, x);
  share.start(c[degree]);
  __syncthreads();
  int k = 0;
#pragma unroll 2
  for (; k + group <= degree; k += group) {
    T next[group];
#pragma unroll
    for (int g = 0; g < group; g += vector_length<T>) {
      const auto vector = load<vector_length<T>>(ordered + k + g);
#pragma unroll
      for (int e = 0; e < vector_length<T>; ++e) next[g + e] = vector[e];
    }
    Order::steps(next, share);
  }
  for (; k < degree; ++k) share.step(ordered[k]);
  share.store(n, y);
}

template <typename Order, typename T>
void launch_shared(const Call& call) {
  const int degree = static_cast<int>(degree_of(call.problem));
  with_shape(call, [&]<int values>(unsigned blocks, int threads) {
    evaluate_shared<values, Order>
        <<<blocks, threads, static_cast<std::size_t>(degree) * sizeof(T), stream_of(call)>>>(
            call.problem.extents.x, degree, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace sextant::horner

// Evaluation with coefficients in constant memory. Each launch first copies them there, because they are
// input data.
namespace sextant::horner {

static __constant__ double constant_coefficients[4097];

template <typename T>
static __device__ __forceinline__ T coefficient(int k) {
  return reinterpret_cast<const T*>(constant_coefficients)[k];
}

template <typename T>
static void copy_coefficients(const Call& call) {
  cudaMemcpyToSymbolAsync(constant_coefficients, call.address(0),
                          static_cast<std::size_t>(degree_of(call.problem) + 1) * sizeof(T), 0,
                          cudaMemcpyDeviceToDevice, stream_of(call));
}

}  // namespace sextant::horner

namespace sextant {
namespace {

namespace constant {

template <int values, typename T>
__global__ void evaluate(std::int64_t n, int degree, const T* __restrict__ x, T* __restrict__ y) {
  horner::Share<values, T> share;
  share.load(n, x);
  share.start(horner::coefficient<T>(degree));
#pragma unroll 8
  for (int k = degree - 1; k >= 0; --k) share.step(horner::coefficient<T>(k));
  share.store(n, y);
}

template <typename T>
void launch(const Call& call) {
  horner::copy_coefficients<T>(call);
  horner::with_shape(call, [&]<int values>(unsigned blocks, int threads) {
    evaluate<values><<<blocks, threads, 0, stream_of(call)>>>(
        call.problem.extents.x, static_cast<int>(horner::degree_of(call.problem)), call.array<const T>(1),
        call.array<T>(2));
  });
}

Variant form() {
  Variant variant = horner::share_variant("several values per thread, coefficients in constant memory");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace constant

namespace elementwise {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void evaluate(std::int64_t n, int degree, const T* __restrict__ c, const T* __restrict__ x,
                         T* __restrict__ y) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = c[degree];
  for (int k = degree - 1; k >= 0; --k) sum = sum * x[i] + c[k];
  y[i] = sum;
}

template <typename T>
void launch(const Call& call) {
  const int block = call.tuned<Block>().block_size;
  evaluate<<<blocks_for(call.problem.extents.x, block), block, 0, stream_of(call)>>>(
      call.problem.extents.x, static_cast<int>(horner::degree_of(call.problem)), call.array<const T>(0),
      call.array<const T>(1), call.array<T>(2));
}

}  // namespace elementwise

namespace estrin {

Variant form() {
  Variant variant =
      horner::share_variant("as shared, but by Estrin's scheme: one dependent step per eight coefficients");
  variant.launch = {.float32 = horner::launch_shared<horner::ByPairs, float>,
                    .float64 = horner::launch_shared<horner::ByPairs, double>};
  return variant;
}

}  // namespace estrin

namespace shared {

Variant form() {
  Variant variant = horner::share_variant("several values per thread, coefficients in shared memory");
  variant.launch = {.float32 = horner::launch_shared<horner::OneByOne, float>,
                    .float64 = horner::launch_shared<horner::OneByOne, double>};
  return variant;
}

}  // namespace shared

// The degree is a compile-time constant. So the loop is unrolled, and the multiplications read the
// coefficients directly from constant memory.
namespace unrolled {

using Degrees = Choices<8, 16, 32, 64>;

template <int values, int degree, typename T>
__global__ void evaluate(std::int64_t n, const T* __restrict__ x, T* __restrict__ y) {
  horner::Share<values, T> share;
  share.load(n, x);
  share.start(horner::coefficient<T>(degree));
#pragma unroll
  for (int k = degree - 1; k >= 0; --k) share.step(horner::coefficient<T>(k));
  share.store(n, y);
}

template <typename T>
void launch(const Call& call) {
  horner::copy_coefficients<T>(call);
  Degrees::with(static_cast<int>(horner::degree_of(call.problem)), [&]<int degree>() {
    horner::with_shape(call, [&]<int values>(unsigned blocks, int threads) {
      evaluate<values, degree><<<blocks, threads, 0, stream_of(call)>>>(
          call.problem.extents.x, call.array<const T>(1), call.array<T>(2));
    });
  });
}

const char* refuse(const Problem& problem, const int*) {
  return Degrees::has(static_cast<int>(horner::degree_of(problem))) ? nullptr
                                                                    : "only for degrees 8, 16, 32 and 64";
}

Variant form() {
  Variant variant = horner::share_variant(
      "degrees 8, 16, 32 and 64: unrolled loop, coefficients as operands from constant memory");
  variant.constraint = refuse;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace unrolled

}  // namespace

std::vector<Variant> horner_cuda() {
  return {
      named("constant", constant::form()),
      {.name = "elementwise",
       .description = "one value per thread, coefficients through the caches",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<elementwise::Block>(
           {{"block_size", &elementwise::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(elementwise::launch)},
      named("estrin", estrin::form()),
      named("shared", shared::form()),
      named("unrolled", unrolled::form()),
  };
}

}  // namespace sextant
