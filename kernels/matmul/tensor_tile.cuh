// C = A*B in double precision on the tensor cores, by mma.sync on tiles of 16x8 with 8 inner steps. Source:
// PTX ISA, "Matrix fragments for mma.m16n8k8", type f64. Before compute capability 9.0, four m8n8k4 form the
// same product. Tensor cores add doubles exactly as fused multiply-add does.
#pragma once

#include "../matmul/register_tile.cuh"

namespace sextant::matmul {

// Computes c += a*b. With g = l/4 and t = l%4, lane l holds
//     a[i] = A[g + 8*(i%2)][t + 4*(i/2)],
//     b[i] = B[t + 4*i][g],
//     c[i] = C[g + 8*(i/2)][2*t + i%2].
__device__ inline void multiply_16x8x8(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif __CUDA_ARCH__ >= 800
  #pragma unroll
  // Four instructions: the upper and the lower half of C, each with the first and the second half of the
  // inner steps.
  for (int step = 0; step < 4; ++step)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(c[step % 2 * 2]), "+d"(c[step % 2 * 2 + 1])
                 : "d"(a[step]), "d"(b[step / 2]));
#endif
}

template <int block_m_, int block_n_, int block_k_, int warp_m_, int warp_n_, int stages_, int resident_>
struct TensorShape {
  static constexpr int block_m = block_m_, block_n = block_n_, block_k = block_k_;
  static constexpr int warp_m = warp_m_, warp_n = warp_n_, stages = stages_;
  static constexpr int resident = resident_;  // blocks that should be resident per multiprocessor
  static constexpr int threads = block_m / warp_m * (block_n / warp_n) * 32;
  // With a pitch of 4 modulo 16, the lanes that load an operand access all banks.
  static constexpr int a_pitch = block_k + 4, b_pitch = block_n + 4;
  static constexpr int stage = block_m * a_pitch + block_k * b_pitch;
  static constexpr int shared_bytes = stages * stage * 8;
  static_assert(a_pitch % 16 == 4 && b_pitch % 16 == 4);
};

// Copies `rows` by `columns` elements of an n by n matrix, from (row, column) on, to shared memory. Elements
// outside the matrix become zeros.
template <int rows, int columns, int pitch, int threads, int width>
__device__ void load_tile(std::int64_t n, const double* from, std::int64_t row, std::int64_t column,
                          double* to) {
  constexpr int across = columns / width, step = threads / across;
  static_assert(threads % across == 0 && rows % step == 0);
  const int j = static_cast<int>(threadIdx.x) % across * width, i0 = threadIdx.x / across;
  const double* source = from + (row + i0) * n + column + j;
#pragma unroll
  for (int i = 0; i < rows; i += step) {
    const bool valid = row + i0 + i < n && column + j < n;
    copy_async<8 * width>(to + (i0 + i) * pitch + j, valid ? source + i * n : from, valid);
  }
}

template <typename S, int width>
__global__ void __launch_bounds__(S::threads, S::resident)
    tensor_tile(std::int64_t n, const double* __restrict__ a, const double* __restrict__ b,
                double* __restrict__ c) {
  extern __shared__ __align__(16) double shared[];
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * S::block_m;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * S::block_n;
  const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  const int warp_row = warp / (S::block_n / S::warp_n) * S::warp_m;
  const int warp_column = warp % (S::block_n / S::warp_n) * S::warp_n;
  constexpr int tiles_m = S::warp_m / 16, tiles_n = S::warp_n / 8;
  double sum[tiles_m][tiles_n][4] = {};

  const auto load = [&](std::int64_t k0, double* stage) {
    load_tile<S::block_m, S::block_k, S::a_pitch, S::threads, width>(n, a, row, k0, stage);
    load_tile<S::block_k, S::block_n, S::b_pitch, S::threads, width>(n, b, k0, column,
                                                                     stage + S::block_m * S::a_pitch);
  };
  const int steps = static_cast<int>((n + S::block_k - 1) / S::block_k);
  for (int s = 0; s < S::stages - 1; ++s) {
    if (s < steps) load(s * S::block_k, shared + s * S::stage);
    close_group();
  }
  int reading = 0, writing = S::stages - 1;
  for (int step = 0; step < steps; ++step) {
    wait_for_all_but<S::stages - 2>();
    __syncthreads();
    const int next = step + S::stages - 1;
    if (next < steps) load(static_cast<std::int64_t>(next) * S::block_k, shared + writing * S::stage);
    close_group();
    const double* tile_a = shared + reading * S::stage + (warp_row + g) * S::a_pitch + t;
    const double* tile_b =
        shared + reading * S::stage + S::block_m * S::a_pitch + t * S::b_pitch + warp_column + g;
#pragma unroll
    for (int k = 0; k < S::block_k; k += 8) {
      double fragment_a[tiles_m][4], fragment_b[tiles_n][2];
#pragma unroll
      for (int m = 0; m < tiles_m; ++m)
#pragma unroll
        for (int i = 0; i < 4; ++i)
          fragment_a[m][i] = tile_a[(16 * m + i % 2 * 8) * S::a_pitch + k + i / 2 * 4];
#pragma unroll
      for (int j = 0; j < tiles_n; ++j)
#pragma unroll
        for (int i = 0; i < 2; ++i) fragment_b[j][i] = tile_b[(k + i * 4) * S::b_pitch + 8 * j];
#pragma unroll
      for (int m = 0; m < tiles_m; ++m)
#pragma unroll
        for (int j = 0; j < tiles_n; ++j) multiply_16x8x8(sum[m][j], fragment_a[m], fragment_b[j]);
    }
    reading = reading + 1 == S::stages ? 0 : reading + 1;
    writing = writing + 1 == S::stages ? 0 : writing + 1;
  }
#pragma unroll
  for (int m = 0; m < tiles_m; ++m)
#pragma unroll
    for (int j = 0; j < tiles_n; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const std::int64_t r = row + warp_row + 16 * m + g + i / 2 * 8;
        const std::int64_t col = column + warp_column + 8 * j + 2 * t + i % 2;
        if (r < n && col < n) c[r * n + col] = sum[m][j][i];
      }
}

}  // namespace sextant::matmul
