// horner: evaluates a polynomial of degree d at n points.
//
//     for (i = 0; i < n; ++i) {
//       sum = c[d];
//       for (k = d - 1; k >= 0; --k) sum = sum * x[i] + c[k];
//       y[i] = sum;
//     }
#pragma once

#include "suite/variant.hpp"

namespace sextant::horner {

constexpr std::int64_t degree_of(const Problem& problem) { return problem.parameters[0]; }

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t degree = degree_of(call.problem);
  const T *c = call.array<const T>(0), *x = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) {
    const T place = x[i];
    T sum = c[degree];
    for (std::int64_t k = degree - 1; k >= 0; --k) sum = sum * place + c[k];
    y[i] = sum;
  }
}

}  // namespace sextant::horner
