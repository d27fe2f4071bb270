#include "loop.hpp"
#include "toolbox/target/partials.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T>
T sum_up(std::int64_t n, const T* a) {
  T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum) map(to : a [0:n])
  for (std::int64_t i = 0; i < n; ++i) sum += a[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  T* sum = call.array<T>(1);
  *sum = sum_up(call.problem.extents.x, call.array<const T>(0));
#pragma omp target update to(sum [0:1])
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for with a reduction");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// Each team has one thread and stores one partial sum; the host adds the partial sums. No team waits for
// another.
namespace partials {

struct Term {
  static constexpr int inputs = 1;
  template <typename T>
  static SEXTANT_INLINE T of(T x, T) {
    return x;
  }
};

template <typename T>
void launch(const Call& call) {
  const T* a = call.array<const T>(0);
  target::sum_by_parts<Term>(call, a, a, call.array<T>(1));
}

Variant form() {
  Variant variant = target::parts_variant("one-thread teams store partial sums; the host adds them");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace partials

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations. Each team adds its sum to the total.
namespace teams_simd {

template <typename T>
T sum_up(std::int64_t n, const T* a, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
  T sum = 0;
#pragma omp target SEXTANT_ONE_WARP map(a [0:n]) map(sum)
#pragma omp teams distribute SEXTANT_LANES num_teams(teams) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  T* sum = call.array<T>(1);
  *sum = sum_up(call.problem.extents.x, call.array<const T>(0), call.tuned<target::Warps>());
#pragma omp target update to(sum [0:1])
}

Variant form() {
  Variant variant =
      target::warps_variant("teams distribute simd with a reduction: one-thread teams, no parallel region");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> reduction_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("partials", partials::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
