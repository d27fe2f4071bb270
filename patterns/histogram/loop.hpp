// histogram: counts how often each of `bins` keys occurs among n keys. Three kernels differ in their keys:
// uniform in 256 bins, skewed in 256 bins (77.6 % are 0), and uniform in n bins.
//
//     for (b = 0; b < bins; ++b) c[b] = 0;
//     for (i = 0; i < n; ++i) c[k[i]] += 1;
#pragma once

#include <algorithm>

#include "suite/variant.hpp"

namespace sextant::histogram {

enum Keys : std::int64_t { uniform, skewed, wide };  // values of Problem::parameters[0]

inline constexpr std::int64_t few_bins = 256;

constexpr std::int64_t bins_of(const Problem& problem) {
  return problem.parameters[0] == wide ? problem.n / 2 : few_bins;
}

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const T* k = call.array<const T>(0);
  T* c = call.array<T>(1);
  std::fill(c, c + bins_of(call.problem), T(0));
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) c[static_cast<std::int64_t>(k[i])] += 1;
}

// The check (Variant::constraint) of variants whose tables have only 256 bins. Returns null if they can solve
// the problem, otherwise the reason.
inline const char* refuse_many_bins(const Problem& problem, const int*) {
  return bins_of(problem) > few_bins ? "only for 256 bins, the size of its tables" : nullptr;
}

}  // namespace sextant::histogram
