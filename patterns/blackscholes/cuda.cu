#include "arithmetic.hpp"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

// Uses 16-byte accesses and, in float, the GPU's approximate function instructions.
namespace fast {

using Blocks = Choices<64, 128, 256, 512>;
using Options = Choices<1, 2, 4>;

struct Shape {
  int block_size = 256, options_per_thread = 4;
};

struct Instructions {
  static __device__ __forceinline__ float exponential(float x) { return __expf(x); }
  static __device__ __forceinline__ double exponential(double x) { return exp(x); }
  static __device__ __forceinline__ float reciprocal_root(float x) { return rsqrtf(x); }
  static __device__ __forceinline__ double reciprocal_root(double x) { return rsqrt(x); }
  static __device__ __forceinline__ float logarithm_of_ratio(float a, float b) {
    return __logf(__fdividef(a, b));
  }
  static __device__ __forceinline__ double logarithm_of_ratio(double a, double b) {
    return blackscholes::logarithm_of_ratio(a, b);
  }
  static __device__ __forceinline__ float quotient(float a, float b) { return __fdividef(a, b); }
  static __device__ __forceinline__ double quotient(double a, double b) { return a / b; }
};

template <int options, typename T>
__global__ void __launch_bounds__(512)
    price(std::int64_t n, const T* __restrict__ p, const T* __restrict__ k, const T* __restrict__ t,
          T* __restrict__ calls, T* __restrict__ puts) {
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * options;
  if (i + options <= n) {
    const auto price = load<options>(p + i), strike = load<options>(k + i), time = load<options>(t + i);
    Vector<T, options> call, put;
#pragma unroll
    for (int o = 0; o < options; ++o) {
      const auto prices = blackscholes::prices<Instructions>(price[o], strike[o], time[o]);
      call[o] = prices.call;
      put[o] = prices.put;
    }
    store_streaming(calls + i, call);
    store_streaming(puts + i, put);
  } else {
    for (std::int64_t o = i; o < n; ++o) {
      const auto prices = blackscholes::prices<Instructions>(p[o], k[o], t[o]);
      calls[o] = prices.call;
      puts[o] = prices.put;
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto shape = call.tuned<Shape>();
  Options::with(shape.options_per_thread, [&]<int options>() {
    if constexpr (options <= vector_length<T>)
      price<options>
          <<<blocks_for(n, std::int64_t{shape.block_size} * options), shape.block_size, 0, stream_of(call)>>>(
              n, call.array<const T>(0), call.array<const T>(1), call.array<const T>(2), call.array<T>(3),
              call.array<T>(4));
  });
}

// Prices one 16-byte vector of options per thread, or fewer options if there would be too few threads to fill
// an H200 (132 multiprocessors of 2048 threads).
void adapt(const Problem& problem, Shape& shape) {
  shape.options_per_thread = problem.type == ElementType::float64 ? 2 : 4;
  while (shape.options_per_thread > 1 && problem.extents.x / shape.options_per_thread < 132 * 2048)
    shape.options_per_thread /= 2;
  if (problem.extents.x < 132 * 2048) shape.block_size = 128;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return shape.options_per_thread * element_size(problem.type) > 16
             ? "options_per_thread elements take more than 16 bytes"
             : nullptr;
}

}  // namespace fast

namespace plain {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void price(std::int64_t n, const T* __restrict__ p, const T* __restrict__ k,
                      const T* __restrict__ t, T* __restrict__ calls, T* __restrict__ puts) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const blackscholes::Prices<T> prices = blackscholes::prices_by_library(p[i], k[i], t[i]);
  calls[i] = prices.call;
  puts[i] = prices.put;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  price<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<const T>(0),
                                                             call.array<const T>(1), call.array<const T>(2),
                                                             call.array<T>(3), call.array<T>(4));
}

}  // namespace plain

}  // namespace

std::vector<Variant> blackscholes_cuda() {
  return {
      {.name = "fast",
       .description =
           "accesses of up to 16 bytes, fewer function calls, and the GPU's approximate instructions in "
           "float",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<fast::Shape>(
           {{"block_size", &fast::Shape::block_size, fast::Blocks::list()},
            {"options_per_thread", &fast::Shape::options_per_thread, fast::Options::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(fast::launch),
       .constraint = by_name<fast::refuse>,
       .adapt = by_name<fast::adapt>},
      {.name = "plain",
       .description = "the plain form: one option per thread, functions of the math library",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<plain::Block>({{"block_size", &plain::Block::block_size, {32, 64, 128, 256, 512}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(plain::launch)},
  };
}

}  // namespace sextant
