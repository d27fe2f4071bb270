// Definitions shared by all variants of npb_ft, NAS FT: a heat equation on a periodic nx x ny x nz grid. It
// is solved by Fourier transforms of all three dimensions (Bailey et al., "The NAS Parallel Benchmarks",
// RNR-94-007, section 2.2.6).
//
//     u[z][y][x] = random complex numbers, x fastest   // two random numbers each
//     U = forward transform of u                       // all transforms are unnormalized
//     for (t = 1; t <= iterations; ++t) {
//       W[z][y][x] = U[z][y][x] * exp(-4 alpha pi^2 t (kx^2 + ky^2 + kz^2))
//       w = inverse transform of W
//       checksum[t] = sum of w[5j % nz][3j % ny][j % nx] for j = 1 to 1024, divided by nx ny nz
//     }
//
// The wave number kx is x for x < nx/2, else x - nx; ky and kz likewise. The benchmark's rules require that
// all of this is timed. The sign of the exponent is free if the two transforms have opposite signs, because
// k^2 is the same for k and -k.
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
inline constexpr std::int64_t longest = 4096;  // maximum extent; NAS problem class E needs it

struct Complex {
  double re, im;
};

// Parameters of a Problem: the number of steps, and whether the last w is an output.
inline std::int64_t iterations(const Problem& problem) { return problem.parameters[0]; }
inline bool with_field(const Problem& problem) { return problem.parameters[1] != 0; }

enum Array : int { checksums = 0, field = 1 };  // arrays of the kernels, as pairs of real and imaginary parts

constexpr int log2_of(std::int64_t value) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
}

constexpr std::int64_t longest_of(const Extents& e) { return std::max({e.x, e.y, e.z}); }

// Returns the size of a table with one value for each index along x, then along y, then along z.
constexpr std::int64_t axis_entries(const Extents& e) { return e.x + e.y + e.z; }

// Returns the bytes of one complex field.
inline std::int64_t field_bytes(const Problem& problem) {
  return problem.extents.count() * static_cast<std::int64_t>(sizeof(Complex));
}

// Returns the bytes of U and w that a variant allocates. If the problem outputs the field, w is the kernel's
// output array instead.
inline std::int64_t state_bytes(const Problem& problem) {
  return field_bytes(problem) * (with_field(problem) ? 1 : 2);
}

// Returns the wave number of index i of n, in [-n/2, n/2).
SEXTANT_HOST_DEVICE constexpr std::int64_t wave_number(std::int64_t i, std::int64_t n) {
  return i < n / 2 ? i : i - n;
}

// Returns the decay factor of a wave after t steps, for one dimension: exp(-4 alpha pi^2 t k^2).
SEXTANT_HOST_DEVICE inline double decay(std::int64_t i, std::int64_t n, std::int64_t t) {
  const double k = static_cast<double>(wave_number(i, n));
  return std::exp(-4 * diffusion * pi * pi * static_cast<double>(t) * k * k);
}

// Returns the index in w of checksum point j (1 to 1024).
SEXTANT_HOST_DEVICE constexpr std::int64_t checksum_index(const Extents& e, std::int64_t j) {
  return (5 * j % e.z * e.y + 3 * j % e.y) * e.x + j % e.x;
}

}  // namespace sextant::npb_ft
