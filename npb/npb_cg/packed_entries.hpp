// Lossless compression of a nonzero to 8.5 or 9 bytes, and SIMD products with such nonzeros. A slice is eight
// rows, one per SIMD lane. A value must be positive; it is stored as 52 mantissa bits and a 4-bit exponent
// relative to the smallest. A column number takes 12 bits within a block of up to 4096 columns, else 16 bits.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
  #include <immintrin.h>
#endif

namespace sextant::npb_cg {
namespace {

constexpr int slice_rows = 8, mantissa_bits = 52, exponents = 16;
constexpr std::int64_t value_bytes = 7;
constexpr std::int64_t narrow_columns = 1 << 12;

// SliceSum may read up to this many bytes past the last step.
constexpr std::int64_t read_beyond = 64;

// Returns the value's bits minus the bits of the smallest exponent. A result of more than 56 bits means that
// the value cannot be packed.
inline std::uint64_t packed_value(double value, std::uint64_t least) {
  return std::bit_cast<std::uint64_t>(value) - least;
}
constexpr bool can_be_packed(std::uint64_t value) { return value >> mantissa_bits < exponents; }

// Returns the smallest exponent, as the bits of a double, that lets values up to `most` be packed.
inline std::uint64_t least_exponent(double most) {
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(most) >> mantissa_bits;
  return (exponent >= exponents ? exponent - (exponents - 1) : 0) << mantissa_bits;
}

// Layout of one step of a slice, which is one nonzero per row: first all values, then all columns.
template <bool narrow>
struct Step {
  static constexpr std::int64_t columns = slice_rows * value_bytes;  // byte offset of the columns
  static constexpr std::int64_t bytes = columns + slice_rows * (narrow ? 12 : 16) / 8;

  // Two 12-bit columns share three bytes. A lane's column is in the lower or upper part of the word at this
  // offset.
  static constexpr std::int64_t column_at(int lane) {
    return columns + (narrow ? 3 * (lane / 2) + lane % 2 : 2 * lane);
  }
  static std::uint16_t column(const std::uint8_t* step, int lane) {
    std::uint16_t word;
    std::memcpy(&word, step + column_at(lane), sizeof word);
    if (!narrow) return word;
    return static_cast<std::uint16_t>(lane % 2 ? word >> 4 : word & 0xfff);
  }
  static std::uint64_t value(const std::uint8_t* step, int lane) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, step + value_bytes * lane, value_bytes);
    return bits;
  }
  // Stores a nonzero; the step's bytes must be zero before.
  static void put(std::uint8_t* step, int lane, std::uint64_t value, std::uint32_t column) {
    std::memcpy(step + value_bytes * lane, &value, value_bytes);
    std::uint16_t word;
    std::memcpy(&word, step + column_at(lane), sizeof word);
    word = static_cast<std::uint16_t>(word | column << (narrow && lane % 2 ? 4 : 0));
    std::memcpy(step + column_at(lane), &word, sizeof word);
  }
};

// Computes row sums of slices. Call begin(q, rows), then add(step) for each step, then end(q). `p` points to
// the vector element of the block's first column.
template <bool narrow>
class SliceSum {
 public:
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
  SliceSum(const double* p, std::uint64_t least)
      : p_(p), least_(_mm512_set1_epi64(static_cast<long long>(least))) {}
  void begin(const double* q, const std::uint16_t* rows) {
    rows_ = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rows)));
    sums_ = gather(rows_, q);
  }
  void add(const std::uint8_t* step) {
    const __m512d p = gather(_mm256_cvtepu16_epi32(columns_of(step)), p_);
    sums_ = _mm512_fmadd_pd(_mm512_castsi512_pd(_mm512_add_epi64(values_of(step), least_)), p, sums_);
  }
  void end(double* q) const { _mm512_i32scatter_pd(q, rows_, sums_, sizeof(double)); }

 private:
  // Gathers with a full mask, because GCC 12 warns of an undefined value in the unmasked form.
  static __m512d gather(__m256i at, const double* from) {
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xff, at, from, sizeof(double));
  }
  // Unpacks eight 7-byte values. Moves the words of two values to each 128-bit lane, then separates their
  // bytes.
  static __m512i values_of(const std::uint8_t* step) {
    const __m512i words = _mm512_set_epi16(28, 27, 26, 25, 24, 23, 22, 21, 21, 20, 19, 18, 17, 16, 15, 14, 14,
                                           13, 12, 11, 10, 9, 8, 7, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m128i bytes = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, -1, 7, 8, 9, 10, 11, 12, 13, -1);
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi16(words, _mm512_loadu_si512(step)),
                               _mm512_maskz_broadcast_i32x4(0xffff, bytes));
  }
  static __m128i columns_of(const std::uint8_t* step) {
    const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(step + Step<narrow>::columns));
    if constexpr (!narrow) return words;
    const __m128i pairs =
        _mm_shuffle_epi8(words, _mm_setr_epi8(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11));
    return _mm_and_si128(_mm_srlv_epi16(pairs, _mm_setr_epi16(0, 4, 0, 4, 0, 4, 0, 4)),
                         _mm_set1_epi16(0xfff));
  }

  const double* p_;
  __m512i least_;
  __m256i rows_ = {};
  __m512d sums_ = {};
#else
  SliceSum(const double* p, std::uint64_t least) : p_(p), least_(least) {}
  void begin(const double* q, const std::uint16_t* rows) {
    rows_ = rows;
    for (int lane = 0; lane < slice_rows; ++lane) sums_[lane] = q[rows[lane]];
  }
  void add(const std::uint8_t* step) {
    for (int lane = 0; lane < slice_rows; ++lane)
      sums_[lane] += std::bit_cast<double>(Step<narrow>::value(step, lane) + least_) *
                     p_[Step<narrow>::column(step, lane)];
  }
  void end(double* q) const {
    for (int lane = 0; lane < slice_rows; ++lane) q[rows_[lane]] = sums_[lane];
  }

 private:
  const double* p_;
  std::uint64_t least_;
  const std::uint16_t* rows_ = nullptr;
  double sums_[slice_rows] = {};
#endif
};

}  // namespace
}  // namespace sextant::npb_cg
