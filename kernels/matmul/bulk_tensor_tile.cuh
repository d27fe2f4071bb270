// The shapes of `bulk_tensor`: doubles on the matrix units.
//
// The product is formed as the transposed one, C' = B' A', by mma of 16 by 8 by 8: B gives the 16 rows and A the 8 columns.
// What a lane reads in one access of 16 bytes, two neighbours of a row of B and two of a row of A, then are neighbours
// among the operands, too, and no register is moved. The order of the inner steps is free: lane t's are 2t and 2t + 1.
#pragma once

#include "bulk_pipeline.cuh"
#include "tensor_tile.cuh"

namespace sextant::matmul {

template <int tile_m_, int tile_n_, int warp_m_, int warp_n_, int stages_, int resident_>
struct BulkTensorShape {
  using T = double;
  static constexpr int tile_m = tile_m_, tile_n = tile_n_, warp_m = warp_m_, warp_n = warp_n_;
  static constexpr int stages = stages_, resident = resident_, depth = 16, ahead = stages - 2;
  static constexpr int threads = tile_m / warp_m * (tile_n / warp_n) * 32;
  static constexpr int across = warp_n / 16, down = warp_m / 8, sums = across * down * 4;
  static constexpr int a_row = depth * 8, a_bytes = tile_m * a_row;
  static constexpr int b_row = 16 * 8, b_bytes = depth * b_row;  // B comes in boxes of 16 columns
  static constexpr int stage_bytes = a_bytes + tile_n / 16 * b_bytes, exchange_bytes = 0;
  static constexpr Box a_box = {depth, tile_m, Swizzle::rows_of_128},
                       b_box = {16, depth, Swizzle::rows_of_128, tile_n / 16};
  static constexpr bool turned = false, b_groups = true, reads_ahead = true;
  static constexpr int pitch_unit = 16;

  __device__ static __forceinline__ void bring(unsigned char* stage, const CUtensorMap* a,
                                               const CUtensorMap* b, int row, int column, int k,
                                               ArrivalBarrier come) {
    copy_box(stage, a, k, row, come);
    copy_boxes(stage + a_bytes, b, 0, k, come, column / 16);
  }

  // Row i of eight as they are numbered among the operands: two lanes' rows that are read together then have their 16-byte
  // pieces in different halves of the banks.
  __device__ static __forceinline__ int row_of(int i) { return i / 2 + i % 2 * 4; }

  struct Place {
    int m, n, g, t;
  };
  __device__ static __forceinline__ Place place() {
    constexpr int warps = tile_n / warp_n;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    return {warp / warps * warp_m, warp % warps * warp_n, lane / 4, lane % 4};
  }

  struct Operands {
    double2 a[down], b[across][2];
  };
  __device__ static __forceinline__ void read(const unsigned char* stage, int half, Operands& operands) {
    const Place at = place();
    const int row = row_of(at.g);
    const unsigned char* a = stage + (at.m + row) * a_row + ((at.t + 4 * half) ^ row) * 16;
    const unsigned char* b = stage + a_bytes + at.n / 16 * b_bytes + (8 * half + 2 * at.t) * b_row;
#pragma unroll
    for (int m = 0; m < down; ++m) operands.a[m] = *reinterpret_cast<const double2*>(a + m * 8 * a_row);
#pragma unroll
    for (int j = 0; j < across; ++j)
#pragma unroll
      for (int i = 0; i < 2; ++i)
        operands.b[j][i] =
            *reinterpret_cast<const double2*>(b + j * b_bytes + i * b_row + (at.g ^ (2 * at.t + i)) * 16);
  }
  __device__ static __forceinline__ void add_products(const Operands& operands, double (&c)[sums]) {
#pragma unroll
    for (int m = 0; m < down; ++m)
#pragma unroll
      for (int j = 0; j < across; ++j) {
        const double2 *b = operands.b[j], a = operands.a[m];
        multiply_16x8x8(*reinterpret_cast<double(*)[4]>(c + (m * across + j) * 4),
                        {b[0].x, b[0].y, b[1].x, b[1].y}, {a.x, a.y});
      }
  }
  // A lane has two neighbours in each of two rows of an 8 by 16 piece of C.
  __device__ static __forceinline__ void store(const double (&c)[sums], unsigned char*, std::int64_t row,
                                               std::int64_t column, int n, double* to) {
    const Place at = place();
#pragma unroll
    for (int m = 0; m < down; ++m)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const std::int64_t r = row + at.m + 8 * m + row_of(2 * at.t + i);
        if (r >= n) continue;
#pragma unroll
        for (int j = 0; j < across; ++j) {
          const double* from = c + (m * across + j) * 4 + i;
          const std::int64_t first = column + at.n + 16 * j + 2 * at.g;
          if (n % 2 == 0) {
            if (first < n) *reinterpret_cast<double2*>(to + r * n + first) = make_double2(from[0], from[2]);
            continue;
          }
          if (first < n) to[r * n + first] = from[0];
          if (first + 1 < n) to[r * n + first + 1] = from[2];
        }
      }
  }
};

}  // namespace sextant::matmul
