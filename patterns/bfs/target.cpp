#include "loop.hpp"
#include "toolbox/target/memory.hpp"

namespace sextant {
namespace {

std::int64_t workspace(const Problem&, const int*) { return std::int64_t{sizeof(std::int32_t)}; }

// The straightforward implementation: one target region per level, over all vertices.
namespace parallel_for {

void begin(std::int64_t n, std::int32_t source, std::int32_t* level) {
#pragma omp target teams distribute parallel for map(level [0:n])
  for (std::int64_t v = 0; v < n; ++v) level[v] = v == source ? 0 : -1;
}

// Several threads may reach the same vertex or set `found`. All of them store the same value.
void sweep(std::int64_t n, std::int64_t entries, std::int32_t now, const std::int32_t* row,
           const std::int32_t* adjacent, std::int32_t* level, std::int32_t* found) {
  const std::int64_t rows = n + 1;
#pragma omp target teams distribute parallel for map(row [0:rows], adjacent [0:entries], level [0:n], \
                                                     found [0:1])
  for (std::int64_t v = 0; v < n; ++v) {
    if (level[v] != now) continue;
    for (std::int32_t e = row[v]; e < row[v + 1]; ++e)
      if (level[adjacent[e]] < 0) {
        level[adjacent[e]] = now + 1;
        found[0] = now + 1;
      }
  }
}

void launch(const Call& call) {
  const bfs::Task task(call);
  std::int32_t* found = target::memory_of<std::int32_t>(call);
  begin(task.n, task.source, task.level);
  found[0] = 0;
#pragma omp target update to(found [0:1])
  for (std::int32_t now = 0; found[0] == now; ++now) {
    sweep(task.n, task.entries, now, task.row, task.adjacent, task.level, found);
#pragma omp target update from(found [0:1])
  }
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: one region per level over all vertices");
  target::add_memory<workspace>(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace parallel_for

// One target region per level, over all vertices. Each team is a single warp, which starts faster than more
// threads.
namespace teams_simd {

void begin(std::int64_t n, std::int32_t source, std::int32_t* level, int teams) {
#pragma omp target SEXTANT_ONE_WARP map(level [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t v = 0; v < n; ++v) level[v] = v == source ? 0 : -1;
}

// Several threads may reach the same vertex or set `found`. All of them store the same value.
void sweep(std::int64_t n, std::int64_t entries, std::int32_t now, const std::int32_t* row,
           const std::int32_t* adjacent, std::int32_t* level, std::int32_t* found, int teams) {
  const std::int64_t rows = n + 1;
#pragma omp target SEXTANT_ONE_WARP map(row [0:rows], adjacent [0:entries], level [0:n], found [0:1])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t v = 0; v < n; ++v) {
    if (level[v] != now) continue;
    for (std::int32_t e = row[v]; e < row[v + 1]; ++e)
      if (level[adjacent[e]] < 0) {
        level[adjacent[e]] = now + 1;
        found[0] = now + 1;
      }
  }
}

void launch(const Call& call) {
  const bfs::Task task(call);
  std::int32_t* found = target::memory_of<std::int32_t>(call);
  const int teams = target::teams_for(call.tuned<target::Warps>(), task.n);
  begin(task.n, task.source, task.level, teams);
  found[0] = 0;
#pragma omp target update to(found [0:1])
  for (std::int32_t now = 0; found[0] == now; ++now) {
    sweep(task.n, task.entries, now, task.row, task.adjacent, task.level, found, teams);
#pragma omp target update from(found [0:1])
  }
}

Variant form() {
  Variant variant = target::warps_variant("one region per level over all vertices, in teams of one warp");
  target::add_memory<workspace>(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> bfs_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
