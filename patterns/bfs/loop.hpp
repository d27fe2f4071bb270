// bfs: level[v] is the number of edges on a shortest path from the source to v, or -1 if there is none. The
// neighbours of v are adjacent[row[v]] … adjacent[row[v+1]-1]. Two kernels differ in the graph: bfs_rmat has
// few levels, bfs_grid many.
//
//     for (v = 0; v < n; ++v) level[v] = -1;
//     level[source] = 0; queue[0] = source; tail = 1;
//     for (head = 0; head < tail; ++head) {
//       v = queue[head];
//       for (e = row[v]; e < row[v+1]; ++e)
//         if (level[adjacent[e]] < 0) { level[adjacent[e]] = level[v] + 1; queue[tail++] = adjacent[e]; }
//     }
#pragma once

#include <bit>
#include <cstdint>

#include "suite/extents.hpp"
#include "suite/problem.hpp"
#include "suite/variant.hpp"
#include "toolbox/draws.hpp"

// The two graphs: a scale-free graph with randomly drawn edges, and a square grid. Neither depends on the
// seed of the input, so data prepared for one input are valid for every other.
namespace sextant::bfs {

enum Graph : std::int64_t { rmat, grid };  // values of Problem::parameters[0]

inline constexpr std::int64_t edges_a_vertex = 16;  // mean number of edges per vertex of the scale-free graph

constexpr std::int64_t vertices_of(const Problem& problem) { return problem.extents.x; }

// Length of `adjacent`, which stores each edge twice, once for each of its vertices.
inline std::int64_t entries_of(const Problem& problem) {
  const std::int64_t n = vertices_of(problem);
  return problem.parameters[0] == rmat ? 2 * edges_a_vertex * n : 4 * n - 4 * square_root(n);
}

struct Edge {
  std::int64_t from, to;
};

// Edge e of the scale-free graph of n vertices (Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model
// for graph mining", 2004, with the probabilities of Graph500). Each level of the recursion picks one
// quadrant of the adjacency matrix. A random permutation then renumbers the vertices.
class ScaleFree {
 public:
  explicit ScaleFree(std::int64_t n)
      : n_(n),
        levels_(n > 1 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))) : 0),
        names_(structure_seed(2), n) {}

  Edge edge(std::int64_t e) const {
    std::uint64_t from = 0, to = 0;
    for (int level = 0; level < levels_; ++level) {
      const std::uint64_t drawn =
          random_bits(structure_seed(1), 64 * static_cast<std::uint64_t>(e) + static_cast<unsigned>(level)) >>
          32;
      const unsigned quarter =
          unsigned{drawn >= share(57)} + unsigned{drawn >= share(76)} + unsigned{drawn >= share(95)};
      from = 2 * from + quarter / 2;
      to = 2 * to + quarter % 2;
    }
    return {name(from), name(to)};
  }

  // The vertex with the most edges on average.
  std::int64_t hub() const { return names_(0); }

 private:
  static constexpr std::uint64_t share(std::uint64_t hundredths) { return (hundredths << 32) / 100; }
  std::int64_t name(std::uint64_t bits) const {
    return names_(static_cast<std::int64_t>((bits * static_cast<std::uint64_t>(n_)) >> levels_));
  }

  std::int64_t n_;
  int levels_;
  Permutation names_;
};

inline std::int64_t source_of(const Problem& problem) {
  return problem.parameters[0] == rmat ? ScaleFree(vertices_of(problem)).hub() : 0;
}

// Total number of neighbours of the vertices before v in a grid of k x k vertices, numbered row by row. A
// vertex inside the grid has four neighbours; boundary vertices have fewer.
constexpr std::int64_t grid_offset(std::int64_t k, std::int64_t v) {
  const std::int64_t y = v / k, x = v % k;
  std::int64_t missing = 0;  // neighbours that the vertices before v lack because they are on the boundary
  missing += v < k ? v : k;  // lacking upper neighbours
  missing += y == k - 1 ? x : y == k ? k : 0;  // lacking lower neighbours
  missing += y + (x > 0 ? 1 : 0);              // lacking left neighbours
  missing += y;                                // lacking right neighbours
  return 4 * v - missing;
}

}  // namespace sextant::bfs

namespace sextant::bfs {

// The arrays of one call.
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

// `static` gives each variant its own copy, compiled with that variant's flags.
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
