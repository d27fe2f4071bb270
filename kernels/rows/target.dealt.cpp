// Some elements of a column to a lane, in the kernel's order, by teams whose lanes share a stretch of a column.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/warps.hpp"

namespace sextant {
namespace {

using Elements = Choices<1, 2>;
using WarpChoices = Choices<2, 4, 8, 16>;

struct Dealt {
  int elements_per_lane = 1, warps = 4;
};

// A column is a whole number of turns of a team's lanes, whose last elements may lie beyond its end.
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

}  // namespace

Variant rows_target_dealt() {
  Variant variant =
      target::mapped_variant("some elements of a column to a lane, stretches of columns to teams");
  variant.tunables = tunables<Dealt>({{"elements_per_lane", &Dealt::elements_per_lane, Elements::list()},
                                      {"warps", &Dealt::warps, WarpChoices::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
