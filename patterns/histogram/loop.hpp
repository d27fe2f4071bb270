// histogram: how often each key occurs, of n keys among `bins`. Three kernels that differ in their keys:
// uniform in 256 bins, skewed in 256 (77.6 % of them 0), uniform in as many bins as there are keys.
//
//     for (b = 0; b < bins; ++b) c[b] = 0;
//     for (i = 0; i < n; ++i) c[k[i]] += 1;
#pragma once

#include <algorithm>

#include "suite/variant.hpp"

namespace sextant::histogram {

enum Keys : std::int64_t { uniform, skewed, wide };  // Problem::parameters[0]

inline constexpr std::int64_t few_bins = 256;

constexpr std::int64_t bins_of(const Problem& problem) {
  return problem.parameters[0] == wide ? problem.n / 2 : few_bins;
}

// Static: each variant compiles its own copy with its own flags.
template <typename T>
static void loop(const Call& call) {
  const T* k = call.array<const T>(0);
  T* c = call.array<T>(1);
  std::fill(c, c + bins_of(call.problem), T(0));
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) c[static_cast<std::int64_t>(k[i])] += 1;
}

// Variant::constraint of forms whose tables have few bins.
inline const char* refuse_many_bins(const Problem& problem, const int*) {
  return bins_of(problem) > few_bins ? "more than the 256 bins that its tables have" : nullptr;
}

}  // namespace sextant::histogram
