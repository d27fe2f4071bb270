// bfs: level[v] = the edges of a shortest path from the source to v, -1 if there is none. Neighbours of v are adjacent[row[v]] …
// adjacent[row[v+1]-1]. Two kernels that differ in the graph: bfs_rmat has few levels, bfs_grid many.
//
//     for (v = 0; v < n; ++v) level[v] = -1;
//     level[source] = 0; queue[0] = source; tail = 1;
//     for (head = 0; head < tail; ++head) {
//       v = queue[head];
//       for (e = row[v]; e < row[v+1]; ++e)
//         if (level[adjacent[e]] < 0) { level[adjacent[e]] = level[v] + 1; queue[tail++] = adjacent[e]; }
//     }
#pragma once

#include <cstdint>

#include "graph.hpp"
#include "suite/variant.hpp"

namespace sextant::bfs {

// A call's arrays.
struct Task {
  const std::int32_t *row, *adjacent;
  std::int32_t* level;
  std::int64_t n, entries;
  std::int32_t source;

  explicit Task(const Call& call)
      : row(call.array<const std::int32_t>(0)),
        adjacent(call.array<const std::int32_t>(1)),
        level(call.array<std::int32_t>(2)),
        n(vertices_of(call.problem)),
        entries(entries_of(call.problem)),
        source(static_cast<std::int32_t>(source_of(call.problem))) {}
};

// Static: each variant compiles its own copy with its own flags.
static inline void search(const Task& task, std::int32_t* queue) {
  const std::int32_t *row = task.row, *adjacent = task.adjacent;
  std::int32_t* level = task.level;
  for (std::int64_t v = 0; v < task.n; ++v) level[v] = -1;
  level[task.source] = 0;
  queue[0] = task.source;
  std::int64_t tail = 1;
  for (std::int64_t head = 0; head < tail; ++head) {
    const std::int32_t v = queue[head], next = level[v] + 1;
    for (std::int32_t e = row[v]; e < row[v + 1]; ++e) {
      const std::int32_t w = adjacent[e];
      if (level[w] >= 0) continue;
      level[w] = next;
      queue[tail++] = w;
    }
  }
}

}  // namespace sextant::bfs
