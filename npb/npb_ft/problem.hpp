// NAS FT: a heat equation on a periodic nx x ny x nz grid, solved by Fourier transforms of all three
// dimensions (Bailey et al., "The NAS Parallel Benchmarks", RNR-94-007, section 2.2.6).
//
//     u[z][y][x] = random complex numbers, x fastest               // two of the generator's numbers each
//     U = forward transform of u                                   // unnormalised, as all of them
//     for (t = 1; t <= iterations; ++t) {
//       W[z][y][x] = U[z][y][x] * exp(-4 alpha pi^2 t (kx^2 + ky^2 + kz^2))  // k: x, or x - nx from nx/2 on
//       w = inverse transform of W
//       checksum[t] = sum of w[5j % nz][3j % ny][j % nx] for j = 1 to 1024, divided by nx ny nz
//     }
//
// Everything above is timed, as the benchmark's rules ask: "all operations must be timed". The sign of the
// transforms' exponent does not matter, as long as the two have opposite signs: k^2 is the same for k and -k.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "suite/problem.hpp"
#include "toolbox/npb_random.hpp"

namespace sextant::npb_ft {

inline constexpr long double long_pi = 3.141592653589793238462643383279502884L;
inline constexpr double pi = 3.14159265358979323846;
inline constexpr double diffusion = 1e-6;  // alpha
inline constexpr int checksum_points = 1024;
inline constexpr std::int64_t longest = 4096;  // of a dimension; what class E needs

struct Complex {
  double re, im;
};

// Parameters of a Problem: how often it is stepped, and whether the last w is an output, too.
inline std::int64_t iterations(const Problem& problem) { return problem.parameters[0]; }
inline bool with_field(const Problem& problem) { return problem.parameters[1] != 0; }

enum Array : int { checksums = 0, field = 1 };  // the kernels' arrays; pairs of real and imaginary part

constexpr int log2_of(std::int64_t value) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
}

constexpr std::int64_t longest_of(const Extents& e) { return std::max({e.x, e.y, e.z}); }

// Entries of a table that holds one for each place along x, then along y, then along z.
constexpr std::int64_t axis_entries(const Extents& e) { return e.x + e.y + e.z; }

// Bytes of one complex field.
inline std::int64_t field_bytes(const Problem& problem) {
  return problem.extents.count() * static_cast<std::int64_t>(sizeof(Complex));
}

// Bytes of the fields U and w that a variant keeps itself: the last w of a problem with field is an array.
inline std::int64_t state_bytes(const Problem& problem) {
  return field_bytes(problem) * (with_field(problem) ? 1 : 2);
}

// The wave number of index i of n, in [-n/2, n/2).
SEXTANT_HOST_DEVICE constexpr std::int64_t wave_number(std::int64_t i, std::int64_t n) {
  return i < n / 2 ? i : i - n;
}

// What t steps leave of a wave, one dimension's factor: exp(-4 alpha pi^2 t k^2).
SEXTANT_HOST_DEVICE inline double decay(std::int64_t i, std::int64_t n, std::int64_t t) {
  const double k = static_cast<double>(wave_number(i, n));
  return std::exp(-4 * diffusion * pi * pi * static_cast<double>(t) * k * k);
}

// The element of w that checksum point j (1 to 1024) is.
SEXTANT_HOST_DEVICE constexpr std::int64_t checksum_index(const Extents& e, std::int64_t j) {
  return (5 * j % e.z * e.y + 3 * j % e.y) * e.x + j % e.x;
}

}  // namespace sextant::npb_ft
