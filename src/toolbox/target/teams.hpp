// Launch shapes for OpenMP's offloading; docs/reference/target.md says what the run times do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "suite/tunables.hpp"
#include "suite/variant.hpp"

// Words of the tuned forms, which each compiler maps to its own: GCC makes a warp of each OpenMP thread, and
// shares simd loops among its lanes, so that a team is of one thread, said at `target` (at `teams` it costs a
// device allocation). For Clang a thread is a thread of CUDA, and simd loops are loops.
//
//     #pragma omp target SEXTANT_ONE_WARP map(...)               a team of one warp (Clang: of its default,
//     128 threads) #pragma omp teams distribute SEXTANT_LANES num_teams(t)    iterations to teams and, within
//     them, to lanes #pragma omp target SEXTANT_WARPS(w) map(...)               teams of w warps #pragma omp
//     teams distribute parallel for simd num_teams(t) SEXTANT_THREADS(w)
#ifdef __clang__
  #define SEXTANT_ONE_WARP
  #define SEXTANT_LANES parallel for
  #define SEXTANT_WARPS(warps)
  #define SEXTANT_THREADS(warps) thread_limit(32 * (warps))
#else
  #define SEXTANT_ONE_WARP thread_limit(1)
  #define SEXTANT_LANES simd
  #define SEXTANT_WARPS(warps) thread_limit(warps)
  #define SEXTANT_THREADS(warps)
#endif

namespace sextant::target {

inline constexpr int lanes = 32;

// Iterations of a `teams distribute SEXTANT_LANES` loop that a team takes at a time.
#ifdef __clang__
inline constexpr int at_a_time = 128;
#else
inline constexpr int at_a_time = lanes;
#endif

// As many teams as have work: with Clang a team costs little more than a block of CUDA.
inline constexpr int all_teams = 0;

// What forms without a tunable take: for GCC as many warps as have their stacks kept from one launch to the
// next.
#ifdef __clang__
inline constexpr int usual_teams = all_teams;
#else
inline constexpr int usual_teams = 1024;
#endif

// Teams of several threads, for `teams distribute parallel for simd`. The defaults make 1024 warps in all:
// for more, GCC's run time allocates their stacks anew at every launch.
struct Teams {
  int teams = 128, threads = 8;
};

// Teams of one thread each, for `teams distribute simd`: no thread has to be started.
struct Warps {
  int teams = 1024;
};

inline const std::vector<int> team_counts = {128, 256, 512, 1024, 2112, 4224, 8448};

// `most` teams (all_teams: any number), or as many as have work: `per_team` iterations each.
constexpr int teams_for(int most, std::int64_t iterations, std::int64_t per_team) {
  if (most == all_teams) most = std::numeric_limits<int>::max();
  return static_cast<int>(
      std::clamp<std::int64_t>((iterations + per_team - 1) / per_team, 1, std::int64_t{most}));
}
constexpr int teams_for(const Teams& shape, std::int64_t iterations) {
  return teams_for(shape.teams, iterations, lanes * shape.threads);
}
constexpr int teams_for(const Warps& shape, std::int64_t iterations) {
  return teams_for(shape.teams, iterations, lanes);
}

// A variant on arrays that are mapped, without tunables, and with those of a shape.
inline Variant mapped_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::target;
  variant.description = description;
  return variant;
}
inline Variant teams_variant(const char* description) {
  Variant variant = mapped_variant(description);
  variant.tunables = tunables<Teams>(
      {{"teams", &Teams::teams, team_counts}, {"threads", &Teams::threads, {1, 2, 4, 8, 16, 32}}});
  return variant;
}
inline Variant warps_variant(const char* description) {
  Variant variant = mapped_variant(description);
  variant.tunables = tunables<Warps>({{"teams", &Warps::teams, team_counts}});
  return variant;
}

}  // namespace sextant::target
