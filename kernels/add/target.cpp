#include "loop.hpp"
#include "toolbox/target/packed.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// As in the variant teams_simd, but a SIMD lane processes several packs of 16 bytes at a time.
namespace packed {

struct Operation {
  template <typename T>
  static SEXTANT_INLINE T apply(T x, T y, T) {
    return x + y;
  }
};

template <typename T>
void launch(const Call& call) {
  target::packed_loop<2, Operation>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                    call.array<T>(2), T(0), call.tuned<target::Packs>());
}

Variant form() {
  Variant variant =
      target::packs_variant("teams distribute simd; each lane loads several 16-byte packs at a time");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace packed

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T>
void loop(std::int64_t n, const T* a, const T* b, T* c) {
#pragma omp target teams distribute parallel for map(to : a [0:n], b [0:n]) map(from : c [0:n])
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: target teams distribute parallel for");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// As in the variant parallel_for, but `simd` also uses the lanes of each thread. The numbers of teams and
// threads are tunable.
namespace parallel_for_simd {

template <typename T>
void loop(std::int64_t n, const T* a, const T* b, T* c, const target::Teams& shape) {
  const int teams = target::teams_for(shape, n), threads = shape.threads;
#pragma omp target SEXTANT_WARPS(threads) map(a [0:n], b [0:n], c [0:n])
#pragma omp teams distribute parallel for simd num_teams(teams) SEXTANT_THREADS(threads)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
       call.tuned<target::Teams>());
}

Variant form() {
  Variant variant =
      target::teams_variant("teams distribute parallel for simd; numbers of teams and threads are tunable");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for_simd

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the team's iterations.
namespace teams_simd {

template <typename T>
void loop(std::int64_t n, const T* a, const T* b, T* c, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(a [0:n], b [0:n], c [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
       call.tuned<target::Warps>());
}

Variant form() {
  Variant variant = target::warps_variant("teams distribute simd: one-thread teams, no parallel region");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> add_target() {
  return {
      named("packed", packed::form()),
      named("parallel_for", parallel_for::form()),
      named("parallel_for_simd", parallel_for_simd::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
