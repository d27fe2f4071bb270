#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

namespace parallel_for {

template <typename T>
void sum_segments(std::int64_t m, std::int64_t n, const std::int32_t* o, const T* a, T* y) {
#pragma omp target teams distribute parallel for map(to : o [0:m + 1], a [0:n]) map(from : y [0:m])
  for (std::int64_t j = 0; j < m; ++j) {
    T sum = 0;
    for (std::int64_t i = o[j]; i < o[j + 1]; ++i) sum += a[i];
    y[j] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  sum_segments(call.problem.extents.x, segmented::elements_of(call.problem),
               call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for over segments");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace parallel_for

// One segment per SIMD lane. Each team has a single thread, because starting more threads takes time.
namespace simd {

template <typename T>
void sum_segments(std::int64_t m, std::int64_t n, int most_teams, const std::int32_t* o, const T* a, T* y) {
  const int teams = target::teams_for(most_teams, m, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(o [0:m + 1], a [0:n], y [0:m])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t j = 0; j < m; ++j) {
    T sum = 0;
    for (std::int64_t i = o[j]; i < o[j + 1]; ++i) sum += a[i];
    y[j] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  sum_segments(call.problem.extents.x, segmented::elements_of(call.problem),
               call.tuned<target::Warps>().teams, call.array<const std::int32_t>(0), call.array<const T>(1),
               call.array<T>(2));
}

Variant form() {
  Variant variant = target::warps_variant("teams distribute simd, one segment per lane");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace simd

}  // namespace

std::vector<Variant> segmented_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("simd", simd::form()),
  };
}

}  // namespace sextant
