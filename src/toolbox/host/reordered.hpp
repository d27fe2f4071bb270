// A copy in memory order, for comparison with kernels that copy in another order.
#pragma once

#include "suite/variant.hpp"

namespace sextant {

// Copies array 0 to array 1. Static, because each variant compiles its own copy with its own flags.
template <typename T>
static void copy_in_order(const Call& call) {
  const std::int64_t count = call.problem.extents.count();
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) c[i] = b[i];
}

static inline Variant reordered_copy() {
  Variant variant;
  variant.description = "the same copy in memory order, for comparison with the kernel's order";
  variant.excluded_from_ranking = true;
  variant.launch = SEXTANT_FLOAT_DOUBLE(copy_in_order);
  return variant;
}

}  // namespace sextant
