#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

namespace parallel_for {

template <typename T>
void move(std::int64_t n, const std::int32_t* p, const T* a, T* y) {
#pragma omp target teams distribute parallel for map(to : p [0:n], a [0:n]) map(from : y [0:n])
  for (std::int64_t i = 0; i < n; ++i) y[i] = a[p[i]];
}

template <typename T>
void launch(const Call& call) {
  move(call.problem.extents.x, call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: target teams distribute parallel for");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// One thread per team; each of its SIMD lanes gathers one element.
namespace simd {

template <typename T>
void move(std::int64_t n, int most_teams, const std::int32_t* p, const T* a, T* y) {
  const int teams = target::teams_for(most_teams, n, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(p [0:n], a [0:n], y [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) y[i] = a[p[i]];
}

template <typename T>
void launch(const Call& call) {
  move(call.problem.extents.x, call.tuned<target::Warps>().teams, call.array<const std::int32_t>(0),
       call.array<const T>(1), call.array<T>(2));
}

Variant form() {
  Variant variant = target::warps_variant("teams distribute simd, one element per lane");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace simd

}  // namespace

std::vector<Variant> gather_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("simd", simd::form()),
  };
}

}  // namespace sextant
