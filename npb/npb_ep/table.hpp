// Logarithm by table and polynomial, for the `streams` variants of CUDA and OpenACC.
//
// Each t in [2^-16, 1) belongs to an interval given by its exponent and the first `bits` bits of its
// mantissa. For each interval the table holds c, near the reciprocal of the interval's midpoint, and 2 ln c.
// Let r = t c - 1, computed by one fused multiply-add, with |r| <= 2^-(bits + 1). Then -2 ln t = 2 ln c - 2
// ln(1 + r) = 2 ln c + r (-2 + r q(r)). The polynomial q interpolates (2 - 2 ln(1+r)/r)/r at Chebyshev
// points. Its truncation error is at most 2^-57.2, 2^-57.0 and 2^-54.8 of the logarithm for 5, 6 and 7 bits.
// The rounding error is about 4 u (u = unit roundoff).
#pragma once

#include <cmath>
#include <vector>

#include "ep.hpp"

namespace sextant::ep {

// Number of powers of two that the table covers. A smaller t, one pair in 83000, must be scaled first.
inline constexpr int table_binades = 16;

// Coefficients of the polynomial q, the highest degree first.
struct LogPolynomial {
  double q[7];
};
SEXTANT_HOST_DEVICE constexpr int polynomial_terms(int bits) { return 12 - bits; }
constexpr LogPolynomial log_polynomial(int bits) {
  if (bits == 5)
    return {{0x1.001667dbd1bd0p-2, -0x1.24ab2e4a28b0bp-2, 0x1.555554a212f68p-2, -0x1.999998d26c9b2p-2,
             0x1.0000000000b34p-1, -0x1.55555555561c8p-1, 0x1p+0}};
  if (bits == 6)
    return {{-0x1.24979e8d8acaep-2, 0x1.555b556aef384p-2, -0x1.999999919973cp-2, 0x1.fffffff6ffd66p-2,
             -0x1.5555555555564p-1, 0x1.0000000000008p+0}};
  return {{0x1.5556955655562p-2, -0x1.999b07519179fp-2, 0x1.ffffffffafffbp-2, -0x1.55555555279e5p-1, 0x1p+0}};
}

struct alignas(16) LogEntry {
  double reciprocal;  // c, near the reciprocal of the interval's midpoint
  double twice_log;   // 2 ln c
};

// Returns the table, with 2^bits entries for each power of two. The index is the low four bits of t's
// exponent, then the first `bits` bits of its mantissa. Entries for [2^-16, 2^-15) take the positions of [1,
// 2), which are free because t >= 1 is rejected.
inline std::vector<LogEntry> log_table(int bits) {
  const int pieces = 1 << bits;
  std::vector<LogEntry> table(static_cast<std::size_t>(table_binades * pieces));
  for (int exponent = -table_binades; exponent < 0; ++exponent)
    for (int piece = 0; piece < pieces; ++piece) {
      const double middle = std::ldexp(1 + (piece + 0.5) / pieces, exponent);
      LogEntry& entry = table[static_cast<std::size_t>((1023 + exponent) % table_binades * pieces + piece)];
      entry.reciprocal = 1 / middle;
      entry.twice_log = static_cast<double>(2 * std::log(static_cast<long double>(entry.reciprocal)));
      if (exponent == -1 && piece == pieces - 1) entry = {1, 0};
    }
  return table;
}

// Returns -2 ln t from the table entry of t. `first` is polynomial.q[0], which a caller may keep in a
// register.
template <int bits>
SEXTANT_HOST_DEVICE inline double minus_twice_log(const LogEntry& entry, double first,
                                                  const LogPolynomial& polynomial, double t) {
#ifdef __CUDA_ARCH__
  const auto fused = [](double a, double b, double c) { return ::fma(a, b, c); };
#else
  const auto fused = [](double a, double b, double c) { return std::fma(a, b, c); };
#endif
  const double r = fused(t, entry.reciprocal, -1.0);
  double q = first;
#ifdef __CUDACC__
  #pragma unroll
#endif
  for (int i = 1; i < polynomial_terms(bits); ++i) q = fused(q, r, polynomial.q[i]);
  return fused(fused(q, r, -2.0), r, entry.twice_log);
}

}  // namespace sextant::ep
