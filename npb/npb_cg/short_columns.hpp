// Compressed sparse rows with 16-bit column numbers. A row's nonzeros are sorted by column, so it suffices to
// store where each block of 65536 columns begins. A nonzero takes ten bytes instead of twelve. Gathers use
// SIMD.
#pragma once

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
  #include <immintrin.h>
#endif

#include "host.hpp"
#include "toolbox/host/memory.hpp"

namespace sextant::npb_cg {
namespace {

// Returns the sum of values[e] * from[columns[e]].
inline double sum_of_products(const double* values, const std::uint16_t* columns, std::int64_t count,
                              const double* from) {
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
  // Uses intrinsics, because GCC replaces the gather by scalar loads if it estimates them to be faster.
  // Prefetches values and columns, because each is read only once.
  constexpr std::int64_t width = 8, ahead = 512;
  __m512d sums = _mm512_setzero_pd();
  for (std::int64_t e = 0; e < count; e += width) {
    const auto lanes = static_cast<__mmask8>(count - e >= width ? 0xff : (1 << (count - e)) - 1);
    _mm_prefetch(reinterpret_cast<const char*>(values + e + ahead), _MM_HINT_T0);
    _mm_prefetch(reinterpret_cast<const char*>(columns + e + ahead), _MM_HINT_T0);
    const __m256i at = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(lanes, columns + e));
    const __m512d p = _mm512_mask_i32gather_pd(_mm512_setzero_pd(), lanes, at, from, sizeof(double));
    sums = _mm512_fmadd_pd(_mm512_maskz_loadu_pd(lanes, values + e), p, sums);
  }
  alignas(64) double parts[width];
  _mm512_store_pd(parts, sums);
  return ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
#else
  double sum = 0;
  #pragma omp simd reduction(+ : sum)
  for (std::int64_t e = 0; e < count; ++e) sum += values[e] * from[columns[e]];
  return sum;
#endif
}

struct ShortColumns {
  // Bytes of memory per nonzero, including the unconverted matrix.
  static constexpr std::int64_t entry_bytes = 22;
  static constexpr std::int64_t width = 1 << 16;

  std::int64_t n = 0, blocks = 0;
  HostMemory<std::int64_t> piece;  // offset of each block of columns in each row, blocks * n + 1 elements
  HostMemory<std::uint16_t> column;
  HostMemory<double> value;

  // Converts the matrix. The threads that later use a row first touch its memory (NUMA placement).
  const char* take(Matrix&& matrix) {
    n = matrix.n;
    blocks = (n + width - 1) / width;
    piece = allocate_host<std::int64_t>(blocks * n + 1);
    column = allocate_host<std::uint16_t>(matrix.entries());
    value = allocate_host<double>(matrix.entries());
    if (!piece || !column || !value) return "host memory ran out";
    piece[static_cast<std::size_t>(blocks * n)] = matrix.entries();
#pragma omp parallel
    {
      const int thread = thread_index(), threads = team_size();
      for (std::int64_t i = share(matrix, thread, threads); i < share(matrix, thread + 1, threads); ++i)
        take_row(matrix, i);
    }
    return nullptr;
  }

  std::int64_t first_row(int thread, int threads) const {
    return first_row_of(n, thread, threads,
                        [this](std::int64_t i) { return piece[static_cast<std::size_t>(blocks * i)]; });
  }

  void multiply(std::int64_t first, std::int64_t last, const double* p, double* q) const {
    const std::uint16_t* columns = column.get();
    const double* values = value.get();
    const std::int64_t* at = piece.get() + blocks * first;
    for (std::int64_t i = first; i < last; ++i) {
      double sum = 0;
      const double* from = p;
      for (std::int64_t block = 0; block < blocks; ++block, ++at, from += width) {
        sum += sum_of_products(values + at[0], columns + at[0], at[1] - at[0], from);
      }
      q[i] = sum;
    }
  }

 private:
  static std::int64_t share(const Matrix& matrix, int thread, int threads) {
    return first_row_of(matrix.n, thread, threads,
                        [&](std::int64_t i) { return matrix.row[static_cast<std::size_t>(i)]; });
  }

  void take_row(const Matrix& matrix, std::int64_t i) const {
    std::int64_t e = matrix.row[static_cast<std::size_t>(i)];
    const std::int64_t end = matrix.row[static_cast<std::size_t>(i) + 1];
    for (std::int64_t block = 0; block < blocks; ++block) {
      piece[static_cast<std::size_t>(blocks * i + block)] = e;
      for (; e < end && matrix.column[static_cast<std::size_t>(e)] < (block + 1) * width; ++e) {
        const auto at = static_cast<std::size_t>(e);
        column[at] = static_cast<std::uint16_t>(matrix.column[at] - block * width);
        value[at] = matrix.value[at];
      }
    }
  }
};

}  // namespace
}  // namespace sextant::npb_cg
