// Several elements a lane, in the kernel's order: lane j of a team visits its j-th, (j + team's lanes)-th, … element.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

using Elements = Choices<1, 2, 4, 8>;

struct Dealt {
#ifdef __clang__
  int elements_per_lane = 1;
#else
  int elements_per_lane = 2;
#endif
};

template <int elements, typename T>
void copy(std::int64_t n, std::int64_t stride, const T* b, T* c) {
  constexpr std::int64_t together = target::at_a_time, run = together * elements;
  const std::int64_t all = (n + run - 1) / run * together;
  const int teams = target::teams_for(target::usual_teams, all, together);
#pragma omp target SEXTANT_ONE_WARP map(b [0:n], c [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t lane = 0; lane < all; ++lane) {
    const stride::Order visit(n, stride);
    const std::int64_t first = lane / together * run + lane % together;
    std::int64_t at[elements];
    T values[elements];
#pragma GCC unroll 8
    for (int k = 0; k < elements; ++k) {
      const std::int64_t j = first + k * together;
      at[k] = visit(j < n ? j : n - 1);
      values[k] = b[at[k]];
    }
#pragma GCC unroll 8
    for (int k = 0; k < elements; ++k) c[at[k]] = values[k];
  }
}

template <typename T>
void launch(const Call& call) {
  Elements::with(call.tuned<Dealt>().elements_per_lane, [&]<int elements>() {
    copy<elements>(call.problem.extents.x, call.problem.parameters[0], call.array<const T>(0),
                   call.array<T>(1));
  });
}

}  // namespace

Variant stride_target_dealt() {
  Variant variant = target::mapped_variant("several elements of the kernel's order to a lane");
  variant.tunables = tunables<Dealt>({{"elements_per_lane", &Dealt::elements_per_lane, Elements::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
