// A tunable of OpenMP loops over whole arrays: whether stores bypass the caches.
#pragma once

#include <omp.h>

#include "suite/tunables.hpp"
#include "toolbox/host/caches.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {

struct PastCaches {
  int streaming_stores = 1;
};

// By default, stores bypass the caches if `arrays` arrays of the problem's extents exceed the private caches
// of all threads together.
template <int arrays>
void adapt_past_caches(const Problem& problem, PastCaches& how) {
  const std::int64_t bytes =
      arrays * problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes <= omp_get_max_threads() * own_cache()) how.streaming_stores = 0;
}

// The default for loops that read a block twice. Stores bypass the caches if two arrays of the problem's
// extents exceed half of the shared cache.
template <typename How>
void adapt_past_shared_cache(const Problem& problem, How& how) {
  const std::int64_t bytes =
      2 * problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes <= shared_cache() / 2) how.streaming_stores = 0;
}

// Computes out[i] = value(i) for 0 <= i < count. Each thread computes an equal contiguous chunk.
template <typename T, typename Value>
void write_in_parallel(const Call& call, std::int64_t count, T* out, Value value) {
  if (call.tuned<PastCaches>().streaming_stores != 0) return stream_in_parallel(0, count, out, value);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) out[i] = value(i);
}

template <int arrays>
void let_pass_caches(Variant& variant) {
  variant.description =
      "threads and SIMD; streaming_stores bypass the caches, the default if the arrays exceed them";
  variant.tunables = tunables<PastCaches>({{"streaming_stores", &PastCaches::streaming_stores, {0, 1}}});
  variant.adapt = by_name<adapt_past_caches<arrays>>;
  variant.for_large_arrays = true;
}

}  // namespace sextant
