// A float as a sum of three bfloat16, and a product of two of them as a sum of products that the matrix units
// compute: what `split_tensor` does, for the device and for the tests on the host.
//
// A bfloat16 has float's exponents and 8 of its 24 bits. With u = 2^-24: the first part is x rounded to 8
// bits, off by at most 2^-8 |x|; the second is what is left, rounded likewise; what is left then is at most
// 2^-16 |x|, a whole number of units in the last place of x and no more than 2^7 of them, so that the third
// part is all of it. A product of two parts has 16 bits, and the matrix units form it exactly.
//
// Of the nine products of parts a_i b_j six are added: those with i + j <= 2. The other three are at most
// (2^-24 + 2^-24 + 2^-32) |a b|, 2.1 u of the product; in the mean of random factors a tenth of that. Three
// products (i + j
// <= 1) would leave 2^-16 |a b| = 256 u: ten bits short of float. With all nine each product is exact.
#pragma once

#include <bit>
#include <cstdint>

#include "toolbox/npb_random.hpp"  // SEXTANT_HOST_DEVICE

namespace sextant::matmul {

inline constexpr int parts_of_float = 3;

struct PartProduct {
  int a, b;  // which part of either factor
};

// Smallest first; a sum of fewer products is the end of the list.
inline constexpr int most_products = 9;
struct PartProducts {
  PartProduct at[most_products] = {{2, 2}, {1, 2}, {2, 1}, {1, 1}, {0, 2}, {2, 0}, {0, 1}, {1, 0}, {0, 0}};
};
// What six products leave out of a*b is at most this share of it.
inline constexpr double left_out_by_six = 2.1 * 0x1p-24;

SEXTANT_HOST_DEVICE inline std::uint32_t bits_of(float x) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(x);
#else
  return std::bit_cast<std::uint32_t>(x);
#endif
}
SEXTANT_HOST_DEVICE inline float float_of(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(bits);
#else
  return std::bit_cast<float>(bits);
#endif
}

// The bits of the bfloat16 that is nearest to x, ties to even; x is finite.
SEXTANT_HOST_DEVICE inline std::uint32_t bfloat16_bits(float x) {
  const std::uint32_t bits = bits_of(x);
  return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

struct Parts {
  std::uint32_t at[parts_of_float];  // bits of bfloat16
};

SEXTANT_HOST_DEVICE inline float part_value(std::uint32_t bits) { return float_of(bits << 16); }

SEXTANT_HOST_DEVICE inline Parts parts_of(float x) {
  Parts parts{};
  for (std::uint32_t& part : parts.at) {
    part = bfloat16_bits(x);
    x -= part_value(part);
  }
  return parts;
}

// Where it does not go so: below 2^-110 the last bits of x are smaller than the least bfloat16, 2^-133; an
// infinity, a NaN or what rounds to infinity leaves no finite rest; and sums near the largest float might
// overflow before small terms bring them back.
inline constexpr std::uint32_t least_split_bits = 17u << 23;         // 2^-110
inline constexpr std::uint32_t first_beyond_bfloat16 = 0x7f7f8000u;  // rounds to infinity
inline constexpr float largest_sum = 0x1p126f;

// What a look at all elements of A and B found.
struct Found {
  std::uint32_t most_a, most_b;  // bits of the largest magnitude
  std::uint32_t tiny;            // 1: one of them is smaller than can be split, and not zero
};

SEXTANT_HOST_DEVICE inline std::uint32_t magnitude_bits(float x) { return bits_of(x) & 0x7fffffffu; }
SEXTANT_HOST_DEVICE inline bool is_tiny(std::uint32_t magnitude) {
  return magnitude != 0 && magnitude < least_split_bits;
}
SEXTANT_HOST_DEVICE inline bool can_split(const Found& found, std::int64_t n) {
  return found.tiny == 0 && found.most_a < first_beyond_bfloat16 && found.most_b < first_beyond_bfloat16 &&
         float_of(found.most_a) * float_of(found.most_b) * static_cast<float>(n) < largest_sum;
}

}  // namespace sextant::matmul
