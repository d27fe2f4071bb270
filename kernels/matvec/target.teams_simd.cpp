// No `parallel`: a team is one thread, whose lanes share the simd loop.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void multiply(std::int64_t n, const T* a, const T* x, T* y, const target::Warps& shape) {
  const int teams = target::teams_for(shape.teams, n, 1);
#pragma omp target teams distribute num_teams(teams) thread_limit(1) map(a [0:n * n], x [0:n], y [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  multiply(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
           call.tuned<target::Warps>());
}

}  // namespace

Variant matvec_target_teams_simd() {
  Variant variant =
      target::warps_variant("rows to teams of one thread, none to be started, a row's products to its lanes");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
