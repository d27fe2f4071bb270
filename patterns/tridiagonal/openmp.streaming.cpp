// sizes: large
#include "lanes.hpp"

namespace sextant {
namespace {

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

}  // namespace

Variant tridiagonal_openmp_streaming() {
  Variant variant = tridiagonal::host_variant<tridiagonal::lanes_of_threads>(
      "threads over groups of systems, one a lane; the next group is asked for ahead, results bypass the caches");
  variant.constraint = tridiagonal::refuse_long;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
