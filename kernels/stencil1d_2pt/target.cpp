#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/packed.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// As in teams_simd, but a lane computes 16-byte packs; the neighbours outside a pack are scalar loads from
// the cache.
namespace packed {

// `stretch` is the distance between consecutive packs of one SIMD lane, in packs.
template <int packs, typename T>
void sweep(std::int64_t n, const T* b, T* c, int most_teams) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t all = (n + width - 1) / width, stretch = (all + packs - 1) / packs;
  const int teams = target::teams_for(most_teams, stretch, target::at_a_time);
#pragma omp target SEXTANT_ONE_WARP map(b [0:n], c [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t pack = 0; pack < stretch; ++pack) {
    if ((pack + (packs - 1) * stretch + 1) * width <= n) {
      T x[packs * width], left[packs], right[packs], y[packs * width];
#pragma GCC unroll 8
      for (int p = 0; p < packs; ++p) {
        // The offsets `before` and `after` are variables so that Clang does not merge these loads. Merged
        // loads would be unaligned, and Clang would have to split them again.
        const std::int64_t i = (pack + p * stretch) * width, before = i > 0 ? 1 : 0,
                           after = i + width < n ? width : width - 1;
        openacc::load_pack(b + i, x + p * width);
        left[p] = b[i - before];
        right[p] = b[i + after];
      }
#pragma GCC unroll 32
      for (int k = 0; k < packs * width; ++k) {
        const std::int64_t i = (pack + k / width * stretch) * width + k % width;
        const T before = k % width == 0 ? left[k / width] : x[k - 1];
        const T after = k % width == width - 1 ? right[k / width] : x[k + 1];
        y[k] = i == 0 || i == n - 1 ? x[k] : static_cast<T>(0.5) * (before + after);
      }
#pragma GCC unroll 8
      for (int p = 0; p < packs; ++p) openacc::store_pack(c + (pack + p * stretch) * width, y + p * width);
    } else {
      for (std::int64_t first = pack * width; first < n; first += stretch * width)
        for (std::int64_t k = first; k < first + width && k < n; ++k)
          c[k] = k == 0 || k == n - 1 ? b[k] : stencil1d_2pt::point(b, k);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<target::Packs>();
  Choices<1, 2, 4, 8>::with(shape.vectors_per_thread, [&]<int packs>() {
    sweep<packs>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1), shape.teams);
  });
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
void loop(std::int64_t n, const T* b, T* c) {
#pragma omp target teams distribute parallel for map(to : b [0:n]) map(from : c [0:n])
  for (std::int64_t i = 0; i < n; ++i) c[i] = i == 0 || i == n - 1 ? b[i] : stencil1d_2pt::point(b, i);
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: target teams distribute parallel for");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations.
namespace teams_simd {

template <typename T>
void loop(std::int64_t n, const T* b, T* c, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(b [0:n], c [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) c[i] = i == 0 || i == n - 1 ? b[i] : stencil1d_2pt::point(b, i);
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<T>(1), call.tuned<target::Warps>());
}

Variant form() {
  Variant variant = target::warps_variant("teams distribute simd: one-thread teams, no parallel region");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> stencil1d_2pt_target() {
  return {
      named("packed", packed::form()),
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
