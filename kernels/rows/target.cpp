#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"
#include "toolbox/target/warps.hpp"

namespace sextant {
namespace {

// Each SIMD lane copies several elements of a column, in the kernel's order. The lanes of a team copy a chunk
// of a column together.
namespace dealt {

using Elements = Choices<1, 2>;
using WarpChoices = Choices<2, 4, 8, 16>;

struct Dealt {
  int elements_per_lane = 1, warps = 4;
};

// A team copies `run` elements of a column. The loop covers a column as if its length were a multiple of
// `run`; elements beyond its end are not stored.
template <int elements, int warps, typename T, typename Index>
void copy(Index n, const T* b, T* c) {
  constexpr Index together = target::lanes * warps, run = together * elements;
  const Index pieces = (n + run - 1) / run;
  const std::int64_t side = n, count = side * n, all = side * pieces * together;
  const int teams = target::teams_for(target::usual_teams, all, target::taken_together<warps>);
#pragma omp target SEXTANT_ONE_WARP map(b [0:count], c [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams) SEXTANT_THREADS(warps)
  for (std::int64_t item = 0; item < all; ++item) {
    const Index lane = static_cast<Index>(item % together), piece = static_cast<Index>(item / together);
    const Index x = piece / pieces, first = piece % pieces * run + lane;
    T values[elements];
#pragma GCC unroll 8
    for (Index k = 0; k < elements; ++k) {
      const Index y = first + k * together < n ? first + k * together : n - 1;
      values[k] = b[y * side + x];
    }
#pragma GCC unroll 8
    for (Index k = 0; k < elements; ++k)
      if (first + k * together < n) c[(first + k * together) * side + x] = values[k];
  }
}

template <typename T>
void launch(const Call& call) {
  const auto dealt = call.tuned<Dealt>();
  with_index(call.problem, [&]<typename Index>() {
    Elements::with(dealt.elements_per_lane, [&]<int elements>() {
      WarpChoices::with(dealt.warps, [&]<int warps>() {
        copy<elements, warps>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                              call.array<T>(1));
      });
    });
  });
}

Variant form() {
  Variant variant = target::mapped_variant("teams copy chunks of a column, each lane one or two elements");
  variant.tunables = tunables<Dealt>({{"elements_per_lane", &Dealt::elements_per_lane, Elements::list()},
                                      {"warps", &Dealt::warps, WarpChoices::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace dealt

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T, typename Index>
void copy(Index n, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma omp target teams distribute parallel for collapse(2) map(to : b [0:count]) map(from : c [0:count])
  for (Index x = 0; x < n; ++x)
    for (Index y = 0; y < n; ++y) c[y * side + x] = b[y * side + x];
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    copy(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1));
  });
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for over both loops, collapsed");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations.
namespace teams_simd {

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

Variant form() {
  Variant variant = target::warps_variant(
      "teams distribute over columns, simd down each column: one-thread teams, no parallel region");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> rows_target() {
  return {
      named("dealt", dealt::form()),
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
