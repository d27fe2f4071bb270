// npb_ep: the NAS benchmark "embarrassingly parallel": Gaussian deviates by the polar method, their sums, and
// how many lie in each square annulus.
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
inline constexpr int partial_values = 4 + ring_count;  // of a part of the pairs: four sums, the counts
inline constexpr int batch_bits = 16;                  // the reference programs work in batches of 2^16 pairs
inline constexpr std::int64_t batch_pairs = std::int64_t{1} << batch_bits;

// What is accumulated; counts are exact in double up to 2^53.
struct Tally {
  double sx = 0, sy = 0, abs_sx = 0, abs_sy = 0;
  double rings[ring_count] = {};

  void add(const Tally& other) {
    sx += other.sx, sy += other.sy, abs_sx += other.abs_sx, abs_sy += other.abs_sy;
    for (int l = 0; l < ring_count; ++l) rings[l] += other.rings[l];
  }
  // Into the program's two output arrays.
  void write(double* sums, double* counts) const {
    double accepted = 0;
    for (int l = 0; l < ring_count; ++l) accepted += counts[l] = rings[l];
    sums[0] = sx, sums[1] = sy, sums[2] = abs_sx, sums[3] = abs_sy, sums[4] = accepted;
  }
};

// The generator's state before pair `first`.
SEXTANT_HOST_DEVICE constexpr std::uint64_t state_before(std::int64_t first) {
  return npb::random_skip(npb::ep_seed, 2 * static_cast<std::uint64_t>(first));
}

// A double as its bits, and back: casts that vectorise and that every compiler here inlines.
SEXTANT_HOST_DEVICE constexpr std::uint64_t bits_of(double value) {
  return __builtin_bit_cast(std::uint64_t, value);
}
SEXTANT_HOST_DEVICE constexpr double double_of(std::uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}

// 2 r - 1 of the state whose 46 bits are bits 6 to 51 of `shifted`; what lies above them is ignored, so that
// products need no mask. As the mantissa of a number in [2, 4) they are 2 + 2 r; all steps are exact.
SEXTANT_HOST_DEVICE constexpr double symmetric(std::uint64_t shifted) {
  return double_of((shifted & 0xFFFFFFFFFFFFFu) | 0x4000000000000000u) - 3.0;
}

}  // namespace sextant::ep
