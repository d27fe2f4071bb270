// Horner's scheme for OpenACC and OpenMP offload. One thread evaluates several points at a time, so that
// their steps overlap and each coefficient is read once for all of them.
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::horner {

using Values = Choices<4, 8, 16>;
inline constexpr int together = 4;  // coefficients that are loaded before the first is used

// Computes y at `values` points.
template <int values, typename T>
SEXTANT_INLINE void evaluate_values(std::int64_t degree, const T* c, const T* x, T* y) {
  constexpr int width = openacc::pack_width<T>;
  T place[values], sum[values];
#pragma GCC unroll 8
  for (int v = 0; v < values; v += width) openacc::load_pack(x + v, place + v);
  const T first = c[degree];
#pragma GCC unroll 16
  for (int v = 0; v < values; ++v) sum[v] = first;
  std::int64_t k = degree - 1;
  for (; k >= together - 1; k -= together) {
    T next[together];
#pragma GCC unroll 4
    for (int t = 0; t < together; ++t) next[t] = c[k - t];
#pragma GCC unroll 4
    for (int t = 0; t < together; ++t)
#pragma GCC unroll 16
      for (int v = 0; v < values; ++v) sum[v] = sum[v] * place[v] + next[t];
  }
  for (; k >= 0; --k) {
    const T next = c[k];
#pragma GCC unroll 16
    for (int v = 0; v < values; ++v) sum[v] = sum[v] * place[v] + next;
  }
#pragma GCC unroll 8
  for (int v = 0; v < values; v += width) openacc::store_pack(y + v, sum + v);
}

template <typename T>
SEXTANT_INLINE T evaluate_one(std::int64_t degree, const T* c, T place) {
  T sum = c[degree];
  for (std::int64_t k = degree - 1; k >= 0; --k) sum = sum * place + c[k];
  return sum;
}

}  // namespace sextant::horner
