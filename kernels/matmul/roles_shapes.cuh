// Tile shapes of `roles`: floats on the CUDA cores, doubles on the tensor cores.
#pragma once

#include "bulk_tile.cuh"
#include "roles.cuh"

namespace sextant::matmul {

// Copies a box of B that is `columns` wide and `rows` high. The copying threads share the work.
template <int rows, int columns, int width>
struct RowCopies {
  static constexpr int across = columns / width, step = copying_threads / across;
  static_assert(copying_threads % across == 0 && rows % step == 0);
  __device__ static __forceinline__ int row(int thread) { return thread / across; }
  __device__ static __forceinline__ int column(int thread) { return thread % across * width; }

  // Issues one thread's copies. `from` is the address of its first element. to(row, column) must return the
  // destination in shared memory. `left` is the number of rows of B from the box's first row to the matrix's
  // end. It is used only if `whole` is false.
  template <bool whole, typename T, typename To>
  __device__ static __forceinline__ void copy(int thread, int n, const T* from, int left, To to) {
#pragma unroll 8
    for (int i = 0; i < rows; i += step) {
      const int at = row(thread) + i;
      copy_async<int{sizeof(T)} * width>(to(at, column(thread)), from, whole || at < left);
      from += std::int64_t{step} * n;
    }
  }
};

// A tile shape for floats. Each thread computes thread_m by thread_n elements of C. A is stored transposed in
// shared memory, so that a thread reads four rows of it at once. Threads form `slices_` groups (slices). Each
// slice processes a different part of a stage's inner steps and unrolls `unrolled` of them.
template <int tile_m_, int tile_n_, int thread_m_, int thread_n_, int slices_, int stages_, int unrolled_,
          // Padding elements after each inner step of A. With 4, the stores of a warp use all banks.
          int apart_ = 4>
struct RolesTile {
  using T = float;
  static constexpr bool reads_ahead = false, moves_sums = true;
  static constexpr int tile_m = tile_m_, tile_n = tile_n_, thread_m = thread_m_, thread_n = thread_n_;
  static constexpr int slices = slices_, depth = roles_depth, stages = stages_, unrolled = unrolled_;
  static constexpr int group = tile_m / thread_m * (tile_n / thread_n), threads = group * slices;
  static constexpr int sums = thread_m * thread_n, sum_pitch = tile_n + 4;
  static constexpr int a_pitch = tile_m + apart_;
  static constexpr int stage_bytes = depth * (a_pitch + tile_n) * 4;
  static_assert(threads == 256 && depth % slices == 0);

  // The lanes of a warp copy eight columns by four rows of A. They thus read whole memory sectors and store
  // to all banks.
  static constexpr int pieces = depth / 8, copied_rows = copying_threads / 32 / pieces * 4;
  static_assert(copying_threads / 32 % pieces == 0 && tile_m % copied_rows == 0);
  __device__ static __forceinline__ int copied_k(int thread) {
    return thread / 32 % pieces * 8 + thread % 32 % 8;
  }
  __device__ static __forceinline__ int copied_m(int thread) {
    return thread / 32 / pieces * 4 + thread % 32 / 8;
  }
  template <int width>
  __device__ static __forceinline__ Sources<float> sources(int thread, int n, const float* a, const float* b,
                                                           int row, int column, int k0) {
    using OfB = RowCopies<depth, tile_n, width>;
    return {a + (std::int64_t{row} + copied_m(thread)) * n + k0 + copied_k(thread),
            b + (std::int64_t{k0} + OfB::row(thread)) * n + column + OfB::column(thread)};
  }
  template <int width, bool whole>
  __device__ static __forceinline__ void load(int thread, int n, Sources<float> from, int left,
                                              unsigned char* stage) {
    const int k = copied_k(thread);
    float* tile = reinterpret_cast<float*>(stage);
    float* to = tile + k * a_pitch + copied_m(thread);
#pragma unroll 8
    for (int i = 0; i < tile_m; i += copied_rows) {
      copy_async<4>(to + i, from.a, whole || k < left);
      from.a += std::int64_t{copied_rows} * n;
    }
    RowCopies<depth, tile_n, width>::template copy<whole>(
        thread, n, from.b, left, [&](int i, int j) { return tile + depth * a_pitch + i * tile_n + j; });
  }

  // Position of a thread's first element in the tile. The thread has rows m … m + 3, m + 16 … m + 19, … and
  // columns n … n + 3, n + 32 … n + 35, …. In a warp of 4 by 8 threads, neighbouring threads have the same
  // rows or columns. That halves the bank accesses of a 16-byte read per thread.
  struct Place {
    int m, n;
  };
  __device__ static __forceinline__ Place place() {
    constexpr int across = tile_n / (8 * thread_n);
    const int thread = static_cast<int>(threadIdx.x) % group, warp = thread / 32, lane = thread % 32;
    return {warp / across * 4 * thread_m + 4 * ((lane >> 1 & 1) | (lane >> 3 & 1) << 1),
            warp % across * 8 * thread_n + 4 * ((lane & 1) | (lane >> 2 & 1) << 1 | (lane >> 4) << 2)};
  }

  template <int pieces, int apart>
  __device__ static __forceinline__ void read_fours(const float* from, Neighbours<float> (&to)[pieces]) {
#pragma unroll
    for (int p = 0; p < pieces; ++p) to[p] = *reinterpret_cast<const Neighbours<float>*>(from + apart * p);
  }
  __device__ static __forceinline__ void multiply(const unsigned char* stage, float (&c)[sums]) {
    const Place at = place();
    const int first = static_cast<int>(threadIdx.x) / group * (depth / slices);
    const float* a = reinterpret_cast<const float*>(stage) + first * a_pitch + at.m;
    const float* b = reinterpret_cast<const float*>(stage) + depth * a_pitch + first * tile_n + at.n;
#pragma unroll unrolled
    for (int k = 0; k < depth / slices; ++k) {
      Neighbours<float> of_a[thread_m / 4], of_b[thread_n / 4];
      read_fours<thread_m / 4, 16>(a + k * a_pitch, of_a);
      read_fours<thread_n / 4, 32>(b + k * tile_n, of_b);
      add_products(of_a, of_b, c);
    }
  }
  // Alternates the direction along rows, so that consecutive products share an element of A or B. A
  // multiply-add that reads three new registers would be slower.
  __device__ static __forceinline__ void add_products(const Neighbours<float> (&a)[thread_m / 4],
                                                      const Neighbours<float> (&b)[thread_n / 4],
                                                      float (&c)[sums]) {
#pragma unroll
    for (int i = 0; i < thread_m; ++i)
#pragma unroll
      for (int step = 0; step < thread_n; ++step) {
        const int j = i % 2 == 0 ? step : thread_n - 1 - step;
        c[i * thread_n + j] += a[i / 4].at[i % 4] * b[j / 4].at[j % 4];
      }
  }

  template <typename Function>
  __device__ static __forceinline__ void for_each(const float (&c)[sums], Function function) {
    const Place at = place();
#pragma unroll
    for (int i = 0; i < thread_m; ++i)
#pragma unroll
      for (int p = 0; p < thread_n / 4; ++p) {
        const float* from = c + i * thread_n + 4 * p;
        function(at.m + 16 * (i / 4) + i % 4, at.n + 32 * p,
                 Neighbours<float>{{from[0], from[1], from[2], from[3]}});
      }
  }
};

// Computes c += a*b with 16 inner steps. A lane holds elements as in multiply_16x8x8. The index i there is 0
// to 7 for a and 0 to 3 for b.
__device__ __forceinline__ void multiply_16x8x16(double (&c)[4], const double2 (&a)[4],
                                                 const double2 (&b)[2]) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, "
      "%11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0].x), "d"(a[0].y), "d"(a[1].x), "d"(a[1].y), "d"(a[2].x), "d"(a[2].y), "d"(a[3].x),
        "d"(a[3].y), "d"(b[0].x), "d"(b[0].y), "d"(b[1].x), "d"(b[1].y));
#endif
}

// A tile shape for doubles. Each warp computes warp_m by warp_n elements of C. A stage consists of two halves
// of 16 inner steps. The operands of a half are arranged as in BulkTensorShape.
template <int tile_m_, int tile_n_, int warp_m_, int warp_n_, int stages_>
struct RolesTensor {
  using T = double;
  using Lanes = BulkTensorShape<tile_m_, tile_n_, warp_m_, warp_n_, stages_, 1>;
  static constexpr bool reads_ahead = true, moves_sums = false;
  static constexpr int tile_m = tile_m_, tile_n = tile_n_, stages = stages_;
  static constexpr int depth = roles_depth, slices = 1, threads = Lanes::threads, group = threads;
  static constexpr int across = Lanes::across, down = Lanes::down, sums = Lanes::sums, sum_pitch = tile_n + 2;
  static constexpr int piece_bytes = Lanes::stage_bytes, stage_bytes = depth / 16 * piece_bytes;
  static_assert(threads == 256);

  template <int width>
  static constexpr int wide = depth / width;  // number of copies per row of A
  template <int width>
  __device__ static __forceinline__ Sources<double> sources(int thread, int n, const double* a,
                                                            const double* b, int row, int column, int k0) {
    using OfB = RowCopies<depth, tile_n, width>;
    return {a + (std::int64_t{row} + thread / wide<width>)*n + k0 + thread % wide<width> * width,
            b + (std::int64_t{k0} + OfB::row(thread)) * n + column + OfB::column(thread)};
  }
  template <int width, bool whole>
  __device__ static __forceinline__ void load(int thread, int n, Sources<double> from, int left,
                                              unsigned char* stage) {
    constexpr int step = copying_threads / wide<width>;
    static_assert(copying_threads % wide<width> == 0 && tile_m % step == 0);
    const int k = thread % wide<width> * width, piece = k % 16 / 2;
    unsigned char* to = stage + k / 16 * piece_bytes + k % 2 * 8;
#pragma unroll 8
    for (int i = 0; i < tile_m; i += step) {
      const int m = thread / wide<width> + i;
      copy_async<8 * width>(to + m * Lanes::a_row + ((piece ^ (m & 7)) << 4), from.a, whole || k < left);
      from.a += std::int64_t{step} * n;
    }
    RowCopies<depth, tile_n, width>::template copy<whole>(thread, n, from.b, left, [&](int i, int j) {
      return stage + i / 16 * piece_bytes + Lanes::a_bytes + j / 16 * Lanes::b_bytes + i % 16 * Lanes::b_row +
             ((j % 16 / 2 ^ (i & 7)) << 4) + j % 2 * 8;
    });
  }

  struct Operands {
    typename Lanes::Operands first, second;  // operands for eight inner steps each
  };
  __device__ static __forceinline__ void read(const unsigned char* stage, int piece, Operands& operands) {
    Lanes::read(stage + piece * piece_bytes, 0, operands.first);
    Lanes::read(stage + piece * piece_bytes, 1, operands.second);
  }
  __device__ static __forceinline__ void add_products(const Operands& operands, double (&c)[sums]) {
    const auto& [first, second] = operands;
#pragma unroll
    for (int m = 0; m < down; ++m)
#pragma unroll
      for (int j = 0; j < across; ++j)
        multiply_16x8x16(*reinterpret_cast<double(*)[4]>(c + (m * across + j) * 4),
                         {first.b[j][0], first.b[j][1], second.b[j][0], second.b[j][1]},
                         {first.a[m], second.a[m]});
  }
  template <typename Function>
  __device__ static __forceinline__ void for_each(const double (&c)[sums], Function function) {
    const auto at = Lanes::place();
#pragma unroll
    for (int m = 0; m < down; ++m)
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < across; ++j) {
          const double* from = c + (m * across + j) * 4 + i;
          function(at.m + 8 * m + Lanes::row_of(2 * at.t + i), at.n + 16 * j + 2 * at.g,
                   Neighbours<double>{{from[0], from[2]}});
        }
  }
};

}  // namespace sextant::matmul
