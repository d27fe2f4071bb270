// Helper functions of the all_reduce variants that run on MPI ranks.
#pragma once

#include <algorithm>

#include "suite/tunables.hpp"
#include "toolbox/host/rank_vectors.hpp"
#include "toolbox/share.hpp"

namespace sextant::all_reduce {

// c = a + b; c may be a or b. One thread adds short vectors, because starting more threads takes longer.
template <typename T>
static void add(const T* a, const T* b, T* c, std::int64_t count) {
  constexpr std::int64_t few = std::int64_t{1} << 14;
#pragma omp parallel for simd schedule(static) if (count > few)
  for (std::int64_t i = 0; i < count; ++i) c[i] = a[i] + b[i];
}

template <typename T>
static void copy(const T* a, T* c, std::int64_t count) {
  constexpr std::int64_t few = std::int64_t{1} << 14;
#pragma omp parallel for simd schedule(static) if (count > few)
  for (std::int64_t i = 0; i < count; ++i) c[i] = a[i];
}

inline std::int64_t bytes_of_parts(const Problem& problem, int arrays) {
  return arrays * (problem.extents.x * static_cast<std::int64_t>(element_size(problem.type)) + 3 * 4096);
}

}  // namespace sextant::all_reduce
