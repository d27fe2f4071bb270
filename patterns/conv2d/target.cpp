#include "loop.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

template <typename T, typename Index>
void convolve(Index n, int R, const T* x, const T* w, T* y) {
  const std::int64_t count = std::int64_t{n} * n, taps = std::int64_t{2 * R + 1} * (2 * R + 1);
#pragma omp target teams distribute parallel for collapse(2) map(to                         \
                                                                 : x [0:count], w [0:taps]) \
    map(from                                                                                \
        : y [0:count])
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      T sum = 0;
      for (int b = -R; b <= R; ++b)
        for (int a = -R; a <= R; ++a)
          if (j + b >= 0 && j + b < n && i + a >= 0 && i + a < n)
            sum += w[(b + R) * (2 * R + 1) + a + R] * x[std::int64_t{j + b} * n + i + a];
      y[std::int64_t{j} * n + i] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    convolve(static_cast<Index>(call.problem.extents.x), static_cast<int>(conv2d::radius_of(call.problem)),
             call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for collapse(2)");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// One thread per team (no `parallel`); its SIMD lanes share the loop over a row's points.
namespace teams_simd {

template <typename T, typename Index>
void convolve(Index n, int R, const T* x, const T* w, T* y, int most_teams) {
  const int teams = target::teams_for(most_teams, n, 1);
  const std::int64_t count = std::int64_t{n} * n, taps = std::int64_t{2 * R + 1} * (2 * R + 1);
#pragma omp target SEXTANT_ONE_WARP map(x [0:count], w [0:taps], y [0:count])
#pragma omp teams distribute num_teams(teams)
  for (Index j = 0; j < n; ++j)
#pragma omp SEXTANT_LANES
    for (Index i = 0; i < n; ++i) {
      T sum = 0;
      for (int b = -R; b <= R; ++b)
        for (int a = -R; a <= R; ++a)
          if (j + b >= 0 && j + b < n && i + a >= 0 && i + a < n)
            sum += w[(b + R) * (2 * R + 1) + a + R] * x[std::int64_t{j + b} * n + i + a];
      y[std::int64_t{j} * n + i] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    convolve(static_cast<Index>(call.problem.extents.x), static_cast<int>(conv2d::radius_of(call.problem)),
             call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
             call.tuned<target::Warps>().teams);
  });
}

Variant form() {
  Variant variant =
      target::warps_variant("rows over teams of one thread, the points of a row over its SIMD lanes");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> conv2d_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
