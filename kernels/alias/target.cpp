#include "loop.hpp"
#include "toolbox/target/packed.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// As in the variant teams_simd, but a SIMD lane stores several packs of 16 bytes of ones at a time.
namespace packed {

// `stretch` is the distance between consecutive packs of one SIMD lane, in packs.
template <int packs, typename T>
void region(std::int64_t n, T* x, T* y, int most_teams) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t all = (n + width - 1) / width, stretch = (all + packs - 1) / packs;
  const int teams = target::teams_for(most_teams, stretch, target::at_a_time);
#pragma omp target SEXTANT_ONE_WARP map(x [0:n], y [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t pack = 0; pack < stretch; ++pack) {
    if ((pack + (packs - 1) * stretch + 1) * width <= n) {
      T ones[width];
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) ones[k] = T(1);
#pragma GCC unroll 8
      for (int p = 0; p < packs; ++p) {
        openacc::store_pack(x + (pack + p * stretch) * width, ones);
        openacc::store_pack(y + (pack + p * stretch) * width, ones);
      }
    } else {
      for (std::int64_t first = pack * width; first < n; first += stretch * width)
        for (std::int64_t k = first; k < first + width && k < n; ++k) x[k] = y[k] = T(1);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<target::Packs>();
  const std::int64_t n = call.problem.extents.x;
  T *x = call.array<T>(0), *y = call.array<T>(1);
  if (shape.vectors_per_thread == 1)
    region<1>(n, x, y, shape.teams);
  else if (shape.vectors_per_thread == 2)
    region<2>(n, x, y, shape.teams);
  else if (shape.vectors_per_thread == 4)
    region<4>(n, x, y, shape.teams);
  else
    region<8>(n, x, y, shape.teams);
}

Variant form() {
  Variant variant =
      target::packs_variant("teams distribute simd; each lane loads several 16-byte packs at a time");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace packed

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T>
void loop(std::int64_t n, T* x, T* y) {
#pragma omp target teams distribute parallel for map(from : x [0:n], y [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: target teams distribute parallel for");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace parallel_for

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations.
namespace teams_simd {

template <typename T>
void loop(std::int64_t n, T* x, T* y, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(x [0:n], y [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<T>(0), call.array<T>(1), call.tuned<target::Warps>());
}

Variant form() {
  Variant variant = target::warps_variant("teams distribute simd: one-thread teams, no parallel region");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> alias_target() {
  return {
      named("packed", packed::form()),
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
