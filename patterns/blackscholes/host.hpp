// Computes prices by the formulas of arithmetic.hpp in plain C++, for host code, OpenACC and OpenMP offload.
#pragma once

#include "../softmax/exponential.hpp"
#include "arithmetic.hpp"

namespace sextant::blackscholes {

struct Arithmetic {
  template <typename T>
  static SEXTANT_INLINE T exponential(T x) {
    return softmax::exponential(x);
  }
  template <typename T>
  static SEXTANT_INLINE T reciprocal_root(T x) {
    return 1 / std::sqrt(x);
  }
  template <typename T>
  static SEXTANT_INLINE T logarithm_of_ratio(T a, T b) {
    return blackscholes::logarithm_of_ratio(a, b);
  }
  template <typename T>
  static SEXTANT_INLINE T quotient(T a, T b) {
    return a / b;
  }
};

// Prices options [first, last), vectorized. `static` gives each variant its own copy, compiled with that
// variant's flags.
template <typename T>
static void price_part(const Call& call, std::int64_t first, std::int64_t last) {
  const T *p = call.array<const T>(0), *k = call.array<const T>(1), *t = call.array<const T>(2);
  T *calls = call.array<T>(3), *puts = call.array<T>(4);
#pragma omp simd
  for (std::int64_t i = first; i < last; ++i) {
    const Prices<T> both = prices<Arithmetic>(p[i], k[i], t[i]);
    calls[i] = both.call;
    puts[i] = both.put;
  }
}

}  // namespace sextant::blackscholes
