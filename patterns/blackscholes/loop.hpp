// blackscholes: prices of European call and put options with asset price p, strike k and time to expiry t.
//
//     for (i = 0; i < n; ++i) {
//       d1 = (log(p[i] / k[i]) + (r + v * v / 2) * t[i]) / (v * sqrt(t[i]));
//       d2 = d1 - v * sqrt(t[i]);
//       e = k[i] * exp(-r * t[i]);
//       call[i] = p[i] * normal(d1) - e * normal(d2);
//       put[i] = call[i] - p[i] + e;
//     }
#pragma once

#include <cmath>

#include "suite/variant.hpp"

namespace sextant::blackscholes {

inline constexpr double rate = 0.02, volatility = 0.30;
inline constexpr double drift = rate + volatility * volatility / 2;

template <typename T>
struct Prices {
  T call, put;
};

// The prices computed with the standard library's functions.
template <typename T>
#ifdef __CUDACC__
__device__ __forceinline__
#else
inline
#endif
    Prices<T>
    prices_by_library(T price, T strike, T time) {
  using std::erfc, std::exp, std::log, std::sqrt;
  const T root_half = static_cast<T>(0.70710678118654752440);
  const T spread = static_cast<T>(volatility) * sqrt(time);
  const T d1 = (log(price / strike) + static_cast<T>(drift) * time) / spread, d2 = d1 - spread;
  const T discounted = strike * exp(static_cast<T>(-rate) * time);
  const T call = price * (static_cast<T>(0.5) * erfc(-d1 * root_half)) -
                 discounted * (static_cast<T>(0.5) * erfc(-d2 * root_half));
  return {call, call - price + discounted};
}

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const T *p = call.array<const T>(0), *k = call.array<const T>(1), *t = call.array<const T>(2);
  T *calls = call.array<T>(3), *puts = call.array<T>(4);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) {
    const Prices<T> prices = prices_by_library<T>(p[i], k[i], t[i]);
    calls[i] = prices.call;
    puts[i] = prices.put;
  }
}

}  // namespace sextant::blackscholes
