// Matrices of up to 16 rows: m lanes of a warp have a row each of A, B and C in their registers, and take B's rows from each
// other by shuffles. Every element moves once, without shared memory.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Sizes = Choices<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>;

struct Shape {
  int block_size = 256;
};

// Elements that move in one access: the most that rows are multiples of.
template <typename T, int m>
inline constexpr int row_width = m % vector_length<T> == 0 ? vector_length<T>
                                 : m % 2 == 0              ? 2
                                                           : 1;

template <int m, typename T>
struct Row {
  static constexpr int width = row_width<T, m>;
  Vector<T, width> at[m / width];
  __device__ __forceinline__ T& operator[](int i) { return at[i / width][i % width]; }
};

// Lanes a matrix: a power of two. With lanes that have no row, m of them do.
template <int m>
inline constexpr int group = m <= 1   ? 1
                             : m <= 2 ? 2
                             : m <= 4 ? 4
                             : m <= 8 ? 8
                                      : 16;

template <int m, typename T>
__global__ void multiply(std::int64_t batches, const T* __restrict__ a, const T* __restrict__ b,
                         T* __restrict__ c) {
  constexpr int lanes = group<m>;
  using Mine = Row<m, T>;
  const std::int64_t batch = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  const int i = static_cast<int>(threadIdx.x) % lanes;
  const bool there = batch < batches && i < m;
  const std::int64_t first = (batch * m + i) * m;
  Mine of_a, of_b, of_c;
#pragma unroll
  for (int v = 0; v < m / Mine::width; ++v)
    if (there) {
      of_a.at[v] = load<Mine::width>(a + first + v * Mine::width);
      of_b.at[v] = load<Mine::width>(b + first + v * Mine::width);
    }
#pragma unroll
  for (int j = 0; j < m; ++j) of_c[j] = 0;
#pragma unroll
  for (int k = 0; k < m; ++k)
#pragma unroll
    for (int j = 0; j < m; ++j) of_c[j] += of_a[k] * __shfl_sync(~0u, of_b[j], k, lanes);
#pragma unroll
  for (int v = 0; v < m / Mine::width; ++v)
    if (there) store_streaming(c + first + v * Mine::width, of_c.at[v]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t batches = gemm_batched::batches_of(call.problem);
  const int block = call.tuned<Shape>().block_size;
  Sizes::with(static_cast<int>(gemm_batched::size_of(call.problem)), [&]<int m>() {
    multiply<m><<<blocks_for(batches * group<m>, block), block, 0, stream_of(call)>>>(
        batches, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

const char* refuse(const Problem& problem, const int*) {
  return gemm_batched::size_of(problem) > 16 ? "a matrix of more than 16 rows" : nullptr;
}

}  // namespace

Variant gemm_batched_cuda_rows() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "up to 16 rows: a row a lane in registers, B's rows by shuffles";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, {64, 128, 256, 512}}});
  variant.constraint = refuse;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
