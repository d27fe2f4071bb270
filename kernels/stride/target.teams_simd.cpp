// No `parallel`: a team is one thread, whose lanes share the simd loop.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, std::int64_t stride, const T* b, T* c, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(b [0:n], c [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = stride::Order(n, stride)(i);
    c[at] = b[at];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.problem.parameters[0], call.array<const T>(0), call.array<T>(1),
       call.tuned<target::Warps>());
}

}  // namespace

Variant stride_target_teams_simd() {
  Variant variant = target::warps_variant("teams distribute simd: teams of one thread, none to be started");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
