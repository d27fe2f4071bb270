#include "cells.hpp"
#include "loop.hpp"
#include "toolbox/target/memory.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// Three target regions per block of 32 vertices (cells.hpp), with one thread per team. Only the paths within
// the block are computed by several threads of one team.
namespace blocked {

using floyd_warshall::cell;
using floyd_warshall::tile;

template <typename T>
void copy(std::int64_t n, const T* w, T* d, int most_teams) {
  const std::int64_t count = n * n;
  const int teams = target::teams_for(most_teams, count, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(w [0:count], d [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t at = 0; at < count; ++at) d[at] = w[at];
}

// Computes the shortest paths within the block. Step p does not change row p and column p, because the
// diagonal is 0. So no thread writes what others read.
template <typename T>
void close(std::int64_t n, std::int64_t k, std::int64_t count, const T* d, T* panels) {
  const std::int64_t all = n * n, elements = floyd_warshall::panel_elements(n), size = count * count;
#pragma omp target parallel num_threads(8) map(d [0:all], panels [0:elements])
  {
#pragma omp for simd
    for (std::int64_t at = 0; at < size; ++at)
      panels[at / count * tile + at % count] = d[(k + at / count) * n + k + at % count];
    for (std::int64_t p = 0; p < count; ++p)
#pragma omp for simd
      for (std::int64_t at = 0; at < size; ++at)
        if (at / count != p && at % count != p)
          floyd_warshall::relax_among(p, at / count, at % count, panels);
  }
}

template <typename T>
void find_ways(std::int64_t n, std::int64_t k, std::int64_t count, const T* d, T* panels, int most_teams) {
  const std::int64_t all = n * n, elements = floyd_warshall::panel_elements(n),
                     step = floyd_warshall::padded(n), ways = step * count, to_block = tile * tile,
                     from_block = to_block + tile * step;
  const int teams = target::teams_for(most_teams, 2 * ways, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(d [0:all], panels [0:elements])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t at = 0; at < 2 * ways; ++at) {
    if (at < ways) {
      panels[from_block + at] = floyd_warshall::way_from(n, k, count, at / step, at % step, panels, d);
    } else {
      const std::int64_t i = (at - ways) / count, q = (at - ways) % count;
      panels[to_block + q * step + i] = floyd_warshall::way_to(n, k, count, i, q, panels, d);
    }
  }
}

template <typename T>
void relax(std::int64_t n, std::int64_t count, const T* panels, T* d, int most_teams) {
  const std::int64_t all = n * n, elements = floyd_warshall::panel_elements(n),
                     step = floyd_warshall::padded(n), across = step / cell, cells = across * across,
                     to_block = tile * tile, from_block = to_block + tile * step;
  const int teams = target::teams_for(most_teams, cells, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(d [0:all], panels [0:elements])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t at = 0; at < cells; ++at)
    floyd_warshall::relax_cell(n, count, at / across * cell, at % across * cell, panels + to_block,
                               panels + from_block, d);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T *d = call.array<T>(1), *panels = target::memory_of<T>(call);
  const int teams = call.tuned<target::Warps>().teams;
  copy(n, call.array<const T>(0), d, teams);
  for (std::int64_t k = 0; k < n; k += tile) {
    const std::int64_t count = std::min(tile, n - k);
    close(n, k, count, d, panels);
    find_ways(n, k, count, d, panels, teams);
    relax(n, count, panels, d, teams);
  }
}

std::int64_t workspace(const Problem& p, const int*) {
  return floyd_warshall::panel_elements(p.extents.x) * static_cast<std::int64_t>(element_size(p.type));
}

Variant form() {
  Variant variant = target::warps_variant("blocks of 32 vertices; teams of one thread, 4 x 4 pairs per lane");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  target::add_memory<workspace>(&variant);
  return variant;
}

}  // namespace blocked

// The straightforward implementation: one target region per intermediate vertex, one pair of vertices per
// iteration.
namespace parallel_for {

template <typename T>
void copy(std::int64_t n, const T* w, T* d) {
  const std::int64_t count = n * n;
#pragma omp target teams distribute parallel for map(w [0:count], d [0:count])
  for (std::int64_t at = 0; at < count; ++at) d[at] = w[at];
}

// Step k of the algorithm. Row k and column k do not change, because d[k][k] is 0.
template <typename T>
void sweep(std::int64_t n, std::int64_t k, T* d) {
  const std::int64_t count = n * n;
#pragma omp target teams distribute parallel for collapse(2) map(d [0:count])
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const T over = d[i * n + k] + d[k * n + j];
      if (over < d[i * n + j]) d[i * n + j] = over;
    }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  copy(n, call.array<const T>(0), call.array<T>(1));
  for (std::int64_t k = 0; k < n; ++k) sweep(n, k, call.array<T>(1));
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for, one region per intermediate vertex");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace parallel_for

}  // namespace

std::vector<Variant> floyd_warshall_target() {
  return {
      named("blocked", blocked::form()),
      named("parallel_for", parallel_for::form()),
  };
}

}  // namespace sextant
