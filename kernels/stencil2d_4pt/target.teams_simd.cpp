// No `parallel`: a team is one thread, whose lanes share the simd loop.
#include "loop.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T, typename Index>
void sweep(Index n, const T* b, T* c, const target::Warps& shape) {
  const int teams = target::teams_for(shape.teams, n, 1);
  const std::int64_t side = n, count = side * n;
  const Index stretch = (n + 3) / 4;
#pragma omp target SEXTANT_ONE_WARP map(b [0:count], c [0:count])
#pragma omp teams distribute num_teams(teams)
  for (Index y = 0; y < n; ++y)
#pragma omp SEXTANT_LANES
    for (Index first = 0; first < stretch; ++first) {  // four points of a lane are on their way
      T values[4];
#pragma GCC unroll 4
      for (Index p = 0; p < 4; ++p) {
        const Index at = first + p * stretch, x = at < n ? at : n - 1;
        const std::int64_t i = y * side + x;
        const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
        values[p] = border ? b[i] : stencil2d_4pt::point(b, side, i);
      }
#pragma GCC unroll 4
      for (Index p = 0; p < 4; ++p)
        if (first + p * stretch < n) c[y * side + first + p * stretch] = values[p];
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    sweep(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1),
          call.tuned<target::Warps>());
  });
}

}  // namespace

Variant stencil2d_4pt_target_teams_simd() {
  Variant variant =
      target::warps_variant("rows to teams of one thread, none to be started, points to its lanes");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
