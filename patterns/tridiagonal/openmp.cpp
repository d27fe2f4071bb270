#include "lanes.hpp"
#include "workspace.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t of_thread = 2 * tridiagonal::most_lanes * tridiagonal::length_of(call.problem);
#pragma omp parallel for schedule(static)
  for (std::int64_t g = 0; g < tridiagonal::groups_of<T>(call.problem); ++g)
    tridiagonal::solve_group(call, g, static_cast<T*>(call.state) + omp_get_thread_num() * of_thread);
}

Variant form() {
  Variant variant = tridiagonal::host_variant<tridiagonal::lanes_of_threads>(
      "threads over groups of systems, one system per SIMD lane");
  variant.constraint = tridiagonal::refuse_long;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace simd

namespace static_form {

template <typename T>
void launch(const Call& call) {
  const std::int64_t length = tridiagonal::length_of(call.problem),
                     systems = tridiagonal::systems_of(call.problem);
  const T *a = call.array<const T>(0), *b = call.array<const T>(1), *c = call.array<const T>(2),
          *d = call.array<const T>(3);
#pragma omp parallel for schedule(static)
  for (std::int64_t s = 0; s < systems; ++s) {
    T* gamma = static_cast<T*>(call.state) + omp_get_thread_num() * length;
    const std::int64_t first = s * length;
    tridiagonal::solve(length, a + first, b + first, c + first, d + first, gamma, call.array<T>(4) + first);
  }
}

Variant form() {
  Variant variant = tridiagonal::host_variant<tridiagonal::a_system_a_thread>(
      "threads over systems, static schedule; the plain loop in each");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace static_form

namespace streaming {

template <typename T>
void launch(const Call& call) {
  const std::int64_t of_thread = 2 * tridiagonal::most_lanes * tridiagonal::length_of(call.problem);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 8)
    for (std::int64_t g = 0; g < tridiagonal::groups_of<T>(call.problem); ++g)
      tridiagonal::solve_group<tridiagonal::Way::past_caches>(
          call, g, static_cast<T*>(call.state) + omp_get_thread_num() * of_thread);
    stream_fence();
  }
}

Variant form() {
  Variant variant = tridiagonal::host_variant<tridiagonal::lanes_of_threads>(
      "threads over groups of systems, one per SIMD lane; prefetches the next group, results "
      "bypass the caches");
  variant.constraint = tridiagonal::refuse_long;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.for_large_arrays = true;
  return variant;
}

}  // namespace streaming

}  // namespace

std::vector<Variant> tridiagonal_openmp() {
  return {
      named("simd", simd::form()),
      named("static", static_form::form()),
      named("streaming", streaming::form()),
  };
}

}  // namespace sextant
