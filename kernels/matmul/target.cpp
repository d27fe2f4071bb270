#include "loop.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T, typename Index>
void multiply(Index n, const T* a, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma omp target map(to : a [0:count], b [0:count]) map(from : c [0:count])
#pragma omp teams distribute parallel for collapse(2)
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      T sum = 0;
      for (Index k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    multiply(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<const T>(1),
             call.array<T>(2));
  });
}

}  // namespace parallel_for

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations.
namespace teams_simd {

template <typename T, typename Index>
void multiply(Index n, const T* a, const T* b, T* c, const target::Warps& shape) {
  const int teams = target::teams_for(shape, std::int64_t{n} * n);
  const std::int64_t side = n, count = side * n;
#pragma omp target SEXTANT_ONE_WARP map(a [0:count], b [0:count], c [0:count])
#pragma omp teams distribute SEXTANT_LANES collapse(2) num_teams(teams)
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      T sum = 0;
      for (Index k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    multiply(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<const T>(1),
             call.array<T>(2), call.tuned<target::Warps>());
  });
}

}  // namespace teams_simd

}  // namespace

Variant matmul_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for over both outer loops, collapsed");
  variant.launch = SEXTANT_FLOAT_DOUBLE(parallel_for::launch);
  return variant;
}

Variant matmul_target_teams_simd() {
  Variant variant = target::warps_variant(
      "teams distribute simd over the elements of C: one-thread teams, no parallel region");
  variant.launch = SEXTANT_FLOAT_DOUBLE(teams_simd::launch);
  return variant;
}

std::vector<Variant> matmul_target() {
  return {
      named("parallel_for", matmul_target_parallel_for()),
      named("teams_simd", matmul_target_teams_simd()),
  };
}

}  // namespace sextant
