// Definitions shared by all variants of npb_ep, the NAS benchmark EP ("embarrassingly parallel"). It
// generates pairs of Gaussian deviates by the polar method, sums them and counts the pairs in each square
// annulus (ring).
//
//     for (j = 0; j < pairs; ++j) {
//       x = 2 * random() - 1;  y = 2 * random() - 1;  t = x*x + y*y;
//       if (t > 1) continue;
//       f = sqrt(-2 * log(t) / t);  sx += x*f;  sy += y*f;
//       rings[floor(max(|x*f|, |y*f|))] += 1;
//     }
#pragma once

#include <cmath>
#include <cstdint>

#include "suite/variant.hpp"
#include "toolbox/npb_random.hpp"

namespace sextant::ep {

inline constexpr int sum_count = 5;                    // sum X, sum Y, sum |X|, sum |Y|, accepted pairs
inline constexpr int ring_count = 10;                  // q[l]: pairs with l <= max(|X|, |Y|) < l + 1
inline constexpr int partial_values = 4 + ring_count;  // values per partial result: four sums and the counts
inline constexpr int batch_bits = 16;  // log2 of the pairs in a batch of the reference programs
inline constexpr std::int64_t batch_pairs = std::int64_t{1} << batch_bits;

// Sums and counts of a set of pairs. The counts are exact in double up to 2^53.
struct Tally {
  double sx = 0, sy = 0, abs_sx = 0, abs_sy = 0;
  double rings[ring_count] = {};

  void add(const Tally& other) {
    sx += other.sx, sy += other.sy, abs_sx += other.abs_sx, abs_sy += other.abs_sy;
    for (int l = 0; l < ring_count; ++l) rings[l] += other.rings[l];
  }
  // Writes the sums and counts to the two output arrays.
  void write(double* sums, double* counts) const {
    double accepted = 0;
    for (int l = 0; l < ring_count; ++l) accepted += counts[l] = rings[l];
    sums[0] = sx, sums[1] = sy, sums[2] = abs_sx, sums[3] = abs_sy, sums[4] = accepted;
  }
};

// Returns the state of the random number generator before pair number `first`.
SEXTANT_HOST_DEVICE constexpr std::uint64_t state_before(std::int64_t first) {
  return npb::random_skip(npb::ep_seed, 2 * static_cast<std::uint64_t>(first));
}

// Returns the bits of a double; double_of is the inverse. The builtin vectorizes, and every supported
// compiler inlines it.
SEXTANT_HOST_DEVICE constexpr std::uint64_t bits_of(double value) {
  return __builtin_bit_cast(std::uint64_t, value);
}
SEXTANT_HOST_DEVICE constexpr double double_of(std::uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}

// Returns 2 r - 1 for the random number r, whose 46-bit generator state is in bits 6 to 51 of `shifted`.
// Higher bits are ignored, so products of states need no mask. The bits become the mantissa of 2 + 2 r in [2,
// 4); every step is exact.
SEXTANT_HOST_DEVICE constexpr double symmetric(std::uint64_t shifted) {
  return double_of((shifted & 0xFFFFFFFFFFFFFu) | 0x4000000000000000u) - 3.0;
}

}  // namespace sextant::ep
