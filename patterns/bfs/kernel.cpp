#include "suite/kernel.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "loop.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using namespace bfs;

Extents rmat_extents(std::int64_t n) {
  return {std::max<std::int64_t>(0, n - 1) / (2 + 2 * edges_a_vertex), 1, 1};
}

// The largest k x k grid graph whose arrays fit in n elements. They have 6 k^2 - 4 k + 1 elements. The grid
// has at least 2 vertices per side, because a single vertex has no edges.
Extents grid_extents(std::int64_t n) {
  std::int64_t k = n < 1 ? 0 : square_root(n / 6) + 1;
  while (k > 0 && 6 * k * k - 4 * k + 1 > n) --k;
  return k < 2 ? Extents{0, 1, 1} : Extents{k * k, 1, 1};
}

std::int64_t length(const Problem& p, int index) {
  return index == 0 ? vertices_of(p) + 1 : index == 1 ? entries_of(p) : vertices_of(p);
}

// Computes the row offsets of the scale-free graph by counting the edges of each vertex.
void rmat_rows(std::int64_t n, std::int32_t* row) {
  const ScaleFree graph(n);
  std::fill(row, row + n + 1, 0);
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < edges_a_vertex * n; ++e) {
    const Edge edge = graph.edge(e);
    for (const std::int64_t end : {edge.from, edge.to}) {
#pragma omp atomic
      ++row[end + 1];
    }
  }
  for (std::int64_t v = 0; v < n; ++v) row[v + 1] += row[v];
}

// Caches the row offsets that this thread computed last, because the neighbours are generated right after
// them and need the same offsets.
thread_local std::vector<std::int32_t> last_rows;

std::vector<std::int32_t> take_rmat_rows(std::int64_t n) {
  std::vector<std::int32_t> row = std::exchange(last_rows, {});
  if (row.size() == static_cast<std::size_t>(n) + 1) return row;
  row.resize(static_cast<std::size_t>(n) + 1);
  rmat_rows(n, row.data());
  return row;
}

void rmat_neighbours(std::int64_t n, std::int32_t* adjacent) {
  const ScaleFree graph(n);
  const std::vector<std::int32_t> row = take_rmat_rows(n);
  std::vector<std::int32_t> next(row.begin(), row.end() - 1);
  std::int32_t* places = next.data();
  const auto put = [=](std::int64_t at, std::int64_t neighbour) {
    std::int32_t place;
#pragma omp atomic capture
    place = places[at]++;
    adjacent[place] = static_cast<std::int32_t>(neighbour);
  };
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < edges_a_vertex * n; ++e) {
    const Edge edge = graph.edge(e);
    put(edge.from, edge.to);
    put(edge.to, edge.from);
  }
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::int64_t v = 0; v < n; ++v)
    std::sort(adjacent + row[static_cast<std::size_t>(v)], adjacent + row[static_cast<std::size_t>(v) + 1]);
}

void grid_neighbours(std::int64_t k, std::int32_t* adjacent) {
#pragma omp parallel for schedule(static)
  for (std::int64_t v = 0; v < k * k; ++v) {
    std::int32_t* to = adjacent + grid_offset(k, v);
    const std::int64_t x = v % k, y = v / k;
    if (y > 0) *to++ = static_cast<std::int32_t>(v - k);
    if (x > 0) *to++ = static_cast<std::int32_t>(v - 1);
    if (x < k - 1) *to++ = static_cast<std::int32_t>(v + 1);
    if (y < k - 1) *to++ = static_cast<std::int32_t>(v + k);
  }
}

void initialise(const Problem& problem, int index, std::uint64_t, void* data) {
  auto* values = static_cast<std::int32_t*>(data);
  const std::int64_t n = vertices_of(problem), k = square_root(n);
  if (problem.parameters[0] == rmat && index == 1) return rmat_neighbours(n, values);
  if (problem.parameters[0] == rmat) {
    rmat_rows(n, values);
    last_rows.assign(values, values + n + 1);
    return;
  }
  if (index == 1) return grid_neighbours(k, values);
  for (std::int64_t v = 0; v <= n; ++v) values[v] = static_cast<std::int32_t>(grid_offset(k, v));
}

void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const auto* row = static_cast<const std::int32_t*>(arrays[0]);
  const auto* adjacent = static_cast<const std::int32_t*>(arrays[1]);
  const std::int64_t n = vertices_of(problem);
  double* level = results[2];
  std::vector<std::int32_t> queue = {static_cast<std::int32_t>(source_of(problem))};
  queue.reserve(static_cast<std::size_t>(n));
  std::fill(level, level + n, -1);
  level[queue.front()] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::int32_t v = queue[head];
    for (std::int32_t e = row[v]; e < row[v + 1]; ++e)
      if (level[adjacent[e]] < 0) {
        level[adjacent[e]] = level[v] + 1;
        queue.push_back(adjacent[e]);
      }
  }
}

// An item is an edge. `adjacent` stores each edge twice, once for each of its two vertices.
Work work(const Problem& p) {
  const std::int64_t n = vertices_of(p), entries = entries_of(p);
  return {.bytes_read = 4 * (entries + n + 1), .bytes_written = 4 * n, .items = entries / 2};
}

// Assumes that all vertices are reached. Each vertex costs two row offsets, its level and its queue entry.
// Each entry of `adjacent` costs a vertex number and that vertex's level. In R-MAT graphs this level lies
// anywhere in memory; in the grid it is at most one grid row away.
Traits traits(const Problem& p) {
  const bool scale_free = p.parameters[0] == rmat;
  const auto n = static_cast<double>(vertices_of(p)), edges = static_cast<double>(entries_of(p)) / 2,
             side = static_cast<double>(square_root(vertices_of(p)));
  Traits traits =
      elementwise_traits((4 * n + 4 * edges) / edges, 3 * n / edges, scale_free ? std::max(1.0, n / 3) : side,
                         scale_free ? std::max(1.0, n / 3) : side);
  traits.depth = scale_free ? 7 : 2 * side - 2;
  traits.divergence = n / (2 * edges);
  return traits;
}

Kernel on_graph(Graph graph, const char* name, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "bfs";
  kernel.dwarf = "graph";
  kernel.formula = formula;
  kernel.arrays = {{"row", Role::in}, {"adjacent", Role::in}, {"level", Role::out}};
  kernel.parameters = {graph};
  kernel.length = length;
  kernel.refuse = [](const Problem& p) {
    return entries_of(p) > std::numeric_limits<std::int32_t>::max()
               ? "more adjacency entries than an int32 can count"
               : nullptr;
  };
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise.int32 = initialise;
  kernel.reference.int32 = reference;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason =
      "levels are integers that do not depend on the order of the search, so they must be equal";
  kernel.sizes = pattern_sizes;
  return kernel;
}

}  // namespace

std::vector<Kernel> bfs_kernels() {
  std::vector<Kernel> kernels = {
      on_graph(rmat, "bfs_rmat", "level[v] = number of edges from the source to v, scale-free graph"),
      on_graph(grid, "bfs_grid", "level[v] = number of edges from the source to v, square grid")};
  kernels[0].extents = rmat_extents;
  kernels[1].extents = grid_extents;
  return kernels;
}

}  // namespace sextant
