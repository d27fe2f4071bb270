#include "loop.hpp"
#include "toolbox/target/packed.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// As in the variant teams_simd, but a SIMD lane processes several packs of 16 bytes at a time.
namespace packed {

struct Operation {
  template <typename T>
  static SEXTANT_INLINE T apply(T x, T, T) {
    return x + T(1);
  }
};

template <typename T>
void launch(const Call& call) {
  T* a = call.array<T>(0);
  for (std::int64_t loop = 0; loop < increment::loops(call); ++loop)
    target::packed_loop<1, Operation>(call.problem.extents.x, a, a, a, T(0), call.tuned<target::Packs>());
}

Variant form() {
  Variant variant = target::packs_variant(
      "teams distribute simd; each lane loads several 16-byte packs at a time; one region per loop");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace packed

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T>
void add_one(std::int64_t n, T* a) {
#pragma omp target teams distribute parallel for map(tofrom : a [0:n])
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void launch(const Call& call) {
  for (std::int64_t loop = 0; loop < increment::loops(call); ++loop)
    add_one(call.problem.extents.x, call.array<T>(0));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for, one region per loop");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace parallel_for

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations.
namespace teams_simd {

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

Variant form() {
  Variant variant = target::warps_variant(
      "teams distribute simd: one-thread teams, no parallel region; one region per loop");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> increment_target() {
  return {
      named("packed", packed::form()),
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
