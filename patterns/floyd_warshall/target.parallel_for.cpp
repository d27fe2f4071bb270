// The form that one would write first: a region for each vertex, a pair a thread.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void copy(std::int64_t n, const T* w, T* d) {
  const std::int64_t count = n * n;
#pragma omp target teams distribute parallel for map(w [0:count], d [0:count])
  for (std::int64_t at = 0; at < count; ++at) d[at] = w[at];
}

// Row k and column k do not change, as d[k][k] is 0.
template <typename T>
void sweep(std::int64_t n, std::int64_t k, T* d) {
  const std::int64_t count = n * n;
#pragma omp target teams distribute parallel for collapse(2) map(d [0:count])
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const T over = d[i * n + k] + d[k * n + j];
      if (over < d[i * n + j]) d[i * n + j] = over;
    }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  copy(n, call.array<const T>(0), call.array<T>(1));
  for (std::int64_t k = 0; k < n; ++k) sweep(n, k, call.array<T>(1));
}

}  // namespace

Variant floyd_warshall_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for, a region for each vertex");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
