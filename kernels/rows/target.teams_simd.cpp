// No `parallel`: a team is one thread, whose lanes share the simd loop.
#include "loop.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T, typename Index>
void copy(Index n, const T* b, T* c, const target::Warps& shape) {
  const int teams = target::teams_for(shape.teams, n, 1);
  const std::int64_t side = n, count = side * n;
#pragma omp target SEXTANT_ONE_WARP map(b [0:count], c [0:count])
#pragma omp teams distribute num_teams(teams)
  for (Index x = 0; x < n; ++x)
#pragma omp SEXTANT_LANES
    for (Index y = 0; y < n; ++y) c[y * side + x] = b[y * side + x];
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    copy(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1),
         call.tuned<target::Warps>());
  });
}

}  // namespace

Variant rows_target_teams_simd() {
  Variant variant = target::warps_variant(
      "columns to teams of one thread, none to be started, their elements to its lanes");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
