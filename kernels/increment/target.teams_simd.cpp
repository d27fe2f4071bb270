// No `parallel`: a team is one thread, whose lanes share the simd loop.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void add_one(std::int64_t n, T* a, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(a [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<target::Warps>();
  for (std::int64_t loop = 0; loop < increment::loops(call); ++loop)
    add_one(call.problem.extents.x, call.array<T>(0), shape);
}

}  // namespace

Variant increment_target_teams_simd() {
  Variant variant = target::warps_variant(
      "teams distribute simd: teams of one thread, none to be started, a region a loop");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
