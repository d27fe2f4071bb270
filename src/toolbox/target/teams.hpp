// Numbers of teams and threads for OpenMP offloading (docs/reference/target.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "suite/tunables.hpp"
#include "suite/variant.hpp"

// Clauses of the tuned variants, defined for each compiler. GCC maps an OpenMP thread to a warp and
// distributes simd loops over its lanes. The limit is set at `target`, because at `teams` it costs a device
// allocation. Clang maps a thread to a CUDA thread, and simd loops are ordinary loops.
//
//     #pragma omp target SEXTANT_ONE_WARP map(...)  // teams of one warp (Clang's default: 128 threads)
//     #pragma omp teams distribute SEXTANT_LANES num_teams(t)  // iterations to teams, then to lanes
//
//     #pragma omp target SEXTANT_WARPS(w) map(...)  // teams of w warps
//     #pragma omp teams distribute parallel for simd num_teams(t) SEXTANT_THREADS(w)
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

// Number of iterations that a team processes at a time in a loop with `teams distribute SEXTANT_LANES`.
#ifdef __clang__
inline constexpr int at_a_time = 128;
#else
inline constexpr int at_a_time = lanes;
#endif

// One team for each at_a_time iterations. With Clang, a team costs little more than a CUDA block.
inline constexpr int all_teams = 0;

// Number of teams for variants without a tunable. GCC keeps the stacks of this number of warps from one
// launch to the next.
#ifdef __clang__
inline constexpr int usual_teams = all_teams;
#else
inline constexpr int usual_teams = 1024;
#endif

// Teams of several threads, for `teams distribute parallel for simd`. The defaults make 1024 warps; with
// more, GCC's run time allocates new stacks at every launch.
struct Teams {
  int teams = 128, threads = 8;
};

// Teams of one thread each, for `teams distribute simd`.
struct Warps {
  int teams = 1024;
};

inline const std::vector<int> team_counts = {128, 256, 512, 1024, 2112, 4224, 8448};

// Returns the number of teams that have work if each processes `per_team` iterations, but at most `most`. If
// `most` is all_teams, there is no limit.
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

// Create variants on mapped arrays, without tunables or with the tunables of a launch shape.
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
