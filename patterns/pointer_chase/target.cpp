#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

void chase(std::int64_t places, std::int64_t chains, std::int64_t steps, const std::int32_t* next,
           const std::int32_t* start, std::int32_t* last) {
#pragma omp target teams distribute parallel for map(to                                   \
                                                     : next [0:places], start [0:chains]) \
    map(from                                                                              \
        : last [0:chains])
  for (std::int64_t c = 0; c < chains; ++c) {
    std::int32_t j = start[c];
    for (std::int64_t s = 0; s < steps; ++s) j = next[j];
    last[c] = j;
  }
}

void launch(const Call& call) {
  chase(pointer_chase::places_of(call.problem), pointer_chase::chains_of(call.problem),
        pointer_chase::steps_of(call.problem), call.array<const std::int32_t>(0),
        call.array<const std::int32_t>(1), call.array<std::int32_t>(2));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for over chains");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace parallel_for

// One chain per SIMD lane. Each team has a single thread, because starting more threads takes time.
namespace simd {

void chase(std::int64_t places, std::int64_t chains, std::int64_t steps, const std::int32_t* next,
           const std::int32_t* start, std::int32_t* last, const target::Warps& shape) {
  const int teams = target::teams_for(shape, chains);
#pragma omp target SEXTANT_ONE_WARP map(next [0:places], start [0:chains], last [0:chains])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t c = 0; c < chains; ++c) {
    std::int32_t j = start[c];
    for (std::int64_t s = 0; s < steps; ++s) j = next[j];
    last[c] = j;
  }
}

void launch(const Call& call) {
  chase(pointer_chase::places_of(call.problem), pointer_chase::chains_of(call.problem),
        pointer_chase::steps_of(call.problem), call.array<const std::int32_t>(0),
        call.array<const std::int32_t>(1), call.array<std::int32_t>(2), call.tuned<target::Warps>());
}

Variant form() {
  Variant variant = target::warps_variant("teams distribute simd, one chain per lane");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace simd

}  // namespace

std::vector<Variant> pointer_chase_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("simd", simd::form()),
  };
}

}  // namespace sextant
