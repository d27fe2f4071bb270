// Provides matrices for which float products built from narrower parts are hard to get right, and the error
// measure of a product.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "toolbox/random.hpp"

namespace sextant::test {

using Floats = std::vector<float>;
using Row = std::size_t;

struct Hard {
  std::string name;
  Row n;
  Floats a, b;
};

inline float hard_uniform(std::uint64_t seed, std::uint64_t i) {
  return static_cast<float>(static_cast<double>(random_bits(seed, i) >> 11) * 0x1p-52 - 1);
}

template <typename Function>
Floats filled(Row n, Function&& element) {
  Floats values(n * n);
  for (Row i = 0; i < values.size(); ++i) values[i] = element(i);
  return values;
}

// Each element splits into three positive parts that are not small. An error in a product of parts therefore
// accumulates over the sum.
inline Hard same_signs(Row n) {
  const float x = 1 + 0x1p-9f + 0x1p-17f - 0x1p-23f;
  const auto element = [&](Row) { return x; };
  return {"parts of one sign", n, filled(n, element), filled(n, element)};
}

// Within every row and column, the magnitudes span `octaves` powers of two.
inline Hard wide_ranges(Row n, int octaves) {
  const auto of = [&](std::uint64_t seed) {
    return filled(n, [&](Row i) {
      const auto power = static_cast<int>(random_bits(seed + 1, i) % static_cast<std::uint64_t>(octaves));
      return std::ldexp(hard_uniform(seed, i), power - octaves / 2);
    });
  };
  return {"wide ranges", n, of(3), of(5)};
}

// The terms of each sum cancel in pairs except for a small remainder.
inline Hard cancelling(Row n) {
  Hard hard{"cancellation", n, filled(n, [](Row i) { return hard_uniform(7, i); }),
            filled(n, [](Row i) { return hard_uniform(9, i); })};
  for (Row row = 0; row < n; ++row)
    for (Row k = 0; k + 1 < n; k += 2) {
      hard.a[row * n + k + 1] = -hard.a[row * n + k];
      hard.b[(k + 1) * n + row] = hard.b[k * n + row] * (1 + 0x1p-20f);
    }
  return hard;
}

// Elements below the smallest normal float, multiplied by large elements.
inline Hard denormals(Row n) {
  return {"denormals", n, filled(n, [](Row i) { return std::ldexp(hard_uniform(11, i), -128); }),
          filled(n, [](Row i) { return std::ldexp(hard_uniform(13, i), 100); })};
}

// Some sums exceed the largest float.
inline Hard overflowing(Row n) {
  return {"overflow", n, filled(n, [&](Row i) { return std::ldexp(1.5f, i / n % 2 ? 64 : 40); }),
          filled(n, [](Row) { return std::ldexp(1.25f, 63); })};
}

// The inputs contain an infinity, a NaN, and a zero that is multiplied by the infinity.
inline Hard infinities(Row n) {
  Hard hard{"infinities", n, filled(n, [](Row i) { return hard_uniform(15, i); }),
            filled(n, [](Row i) { return hard_uniform(17, i); })};
  const float infinity = std::numeric_limits<float>::infinity();
  hard.a[1 * n + 2] = infinity;
  hard.a[3 * n + 4] = -infinity;
  hard.b[4 * n + 5] = 0;
  hard.b[6 * n + 7] = std::numeric_limits<float>::quiet_NaN();
  return hard;
}

struct Exact {
  std::vector<double> sum, magnitude;  // sums of the terms, and of their absolute values
};

// Returns the product, computed in double. Each term is exact.
inline Exact exact_product(const Hard& hard) {
  const Row n = hard.n;
  Exact exact{std::vector<double>(n * n), std::vector<double>(n * n)};
  for (Row i = 0; i < n; ++i)
    for (Row k = 0; k < n; ++k)
      for (Row j = 0; j < n; ++j) {
        const double term = static_cast<double>(hard.a[i * n + k]) * static_cast<double>(hard.b[k * n + j]);
        exact.sum[i * n + j] += term;
        exact.magnitude[i * n + j] += std::abs(term);
      }
  return exact;
}

// Returns the largest error of c, in units of 2^-24 times the sum of the terms' magnitudes. Returns infinity
// if c lacks an expected infinity or NaN. Terms below the smallest float may be lost.
inline double worst_error(const Hard& hard, const Exact& exact, const Floats& c) {
  double worst = 0;
  for (Row i = 0; i < c.size(); ++i) {
    const auto right = static_cast<float>(exact.sum[i]);
    if (!std::isfinite(right)) {
      if (std::isnan(right) ? !std::isnan(c[i]) : c[i] != right)
        return std::numeric_limits<double>::infinity();
      continue;
    }
    const double error = std::abs(static_cast<double>(c[i]) - exact.sum[i]);
    const double lost = static_cast<double>(hard.n) * 0x1p-149;
    if (!(error <= lost)) worst = std::max(worst, (error - lost) / (0x1p-24 * exact.magnitude[i]));
    if (std::isnan(c[i])) return std::numeric_limits<double>::infinity();
  }
  return worst;
}

// A bound for worst_error of a float product with this few terms, in any usual order of additions. The
// smallest correction term is eight times as large.
inline constexpr double most_error = 8;

}  // namespace sextant::test
