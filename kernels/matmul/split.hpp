// Splits a float into three bfloat16 values, its parts, and a product of two floats into products of parts,
// which tensor cores compute exactly. Used by `split_tensor` on the device and by tests on the host.
//
// A bfloat16 has float's exponents and 8 of its 24 significant bits. Let u = 2^-24.
// - The first part is x rounded to 8 bits, with an error of at most 2^-8 |x|.
// - The second part is the remainder rounded to 8 bits. The new remainder is at most 2^-16 |x|.
// - This remainder is an integer of at most 2^7 units in the last place of x, so the third part holds it
//   exactly.
// A product of two parts has 16 bits, and the tensor cores compute it exactly.
//
// Six of the nine products of parts a_i b_j are added: those with i + j <= 2. The other three are at most
// (2^-24 + 2^-24 + 2^-32) |a b|, which is 2.1 u |a b|. On average over random factors they are a tenth of
// that. Only three products (i + j <= 1) would leave 2^-16 |a b| = 256 u |a b|, a loss of ten bits against
// float. With all nine, each product is exact.
#pragma once

#include <bit>
#include <cstdint>

#include "toolbox/npb_random.hpp"  // SEXTANT_HOST_DEVICE

namespace sextant::matmul {

inline constexpr int parts_of_float = 3;

struct PartProduct {
  int a, b;  // indices of the parts of either factor, from 0
};

// List of the products of parts, smallest first. A sum of fewer products uses the end of the list.
inline constexpr int most_products = 9;
struct PartProducts {
  PartProduct at[most_products] = {{2, 2}, {1, 2}, {2, 1}, {1, 1}, {0, 2}, {2, 0}, {0, 1}, {1, 0}, {0, 0}};
};
// Upper bound on the products that a sum of six omits, relative to |a b|.
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

// The bits of the bfloat16 nearest to x, ties to even. x must be finite.
SEXTANT_HOST_DEVICE inline std::uint32_t bfloat16_bits(float x) {
  const std::uint32_t bits = bits_of(x);
  return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

struct Parts {
  std::uint32_t at[parts_of_float];  // the parts as bits of bfloat16
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

// Limits outside which a float is not split, for three reasons. Below 2^-110 its last bits are smaller than
// the least bfloat16, 2^-133. An infinity, a NaN, or a value that rounds to infinity has no finite remainder.
// Sums near the largest float might overflow before small terms reduce them.
inline constexpr std::uint32_t least_split_bits = 17u << 23;         // 2^-110
inline constexpr std::uint32_t first_beyond_bfloat16 = 0x7f7f8000u;  // smallest float that rounds to infinity
inline constexpr float largest_sum = 0x1p126f;

// Information about all elements of A and B, from which a kernel decides whether they can be split.
struct Found {
  std::uint32_t most_a, most_b;  // bits of the largest magnitude in A and in B
  std::uint32_t tiny;            // 1 if some nonzero element is too small to be split
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
