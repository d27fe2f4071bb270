#include <cstring>

#include "lists.hpp"
#include "loop.hpp"
#include "mesh.hpp"
#include "toolbox/target/memory.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// Each SIMD lane adds up the flows of all edges at one vertex. Each team has a single thread, because
// starting more threads takes time.
namespace gather {

template <typename T>
void gather(std::int64_t vertices, std::int64_t edges, int teams, const std::int32_t* row,
            const std::int32_t* links, const T* w, const T* q, T* r) {
  const std::int64_t rows = vertices + 1, all = 4 * edges;
#pragma omp target SEXTANT_ONE_WARP map(row [0:rows], links [0:all], w [0:edges], q [0:vertices], \
                                        r [0:vertices])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t v = 0; v < vertices; ++v) {
    T sum = 0;
    for (std::int64_t at = row[v]; at < row[v + 1]; ++at)
      sum += w[links[2 * at]] * (q[links[2 * at + 1]] - q[v]);
    r[v] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const std::int64_t vertices = mesh::vertices_of(call.problem), edges = mesh::edges_of(call.problem);
  const std::int32_t *links = target::memory_of<std::int32_t>(call), *row = links + 4 * edges;
  gather(vertices, edges, target::teams_for(call.tuned<target::Warps>(), vertices), row, links, a.w, a.q,
         a.r);
}

std::int64_t workspace(const Problem& problem, const int*) {
  return 16 * mesh::edges_of(problem) + 4 * (mesh::vertices_of(problem) + 1);
}

// The mapped memory holds the list of edges at each vertex, then the offset at which each vertex's list
// starts.
const char* prepare(const Call& call, void** state) {
  if (const char* why = target::prepare_memory<workspace>(call, state)) return why;
  const std::int64_t vertices = mesh::vertices_of(call.problem), edges = mesh::edges_of(call.problem),
                     all = 2 * edges;
  std::int32_t* ends = call.array<std::int32_t>(0);
#pragma omp target update from(ends [0:all])
  const mesh::Incidence lists = mesh::incidence_of(vertices, edges, ends);
  static_assert(sizeof(mesh::Link) == 8);
  char* data = static_cast<const target::Memory*>(*state)->data;
  std::memcpy(data, lists.links.data(), lists.links.size() * sizeof(mesh::Link));
  std::memcpy(data + 16 * edges, lists.row.data(), lists.row.size() * 4);
  const std::int64_t bytes = workspace(call.problem, nullptr);
#pragma omp target update to(data [0:bytes])
  return nullptr;
}

Variant form() {
  Variant variant = target::warps_variant(
      "one vertex per lane, which sums its own edges from lists made beforehand; no atomics");
  target::add_memory<workspace>(&variant);
  variant.prepare = prepare;
  variant.prepare_depends_on = DependsOn::structure;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace gather

// The straightforward implementation. Atomic floating-point additions compile to compare-and-exchange loops.
namespace parallel_for {

template <typename T>
void clear(std::int64_t vertices, T* r) {
#pragma omp target teams distribute parallel for map(r [0:vertices])
  for (std::int64_t v = 0; v < vertices; ++v) r[v] = 0;
}

template <typename T>
void add_up(std::int64_t vertices, std::int64_t edges, const std::int32_t* ends, const T* w, const T* q,
            T* r) {
  const std::int64_t all = 2 * edges;
#pragma omp target teams distribute parallel for map(ends [0:all], w [0:edges], q [0:vertices], \
                                                     r [0:vertices])
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::int32_t i = ends[2 * e], j = ends[2 * e + 1];
    const T f = w[e] * (q[j] - q[i]);
#pragma omp atomic update
    r[i] += f;
#pragma omp atomic update
    r[j] -= f;
  }
}

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const std::int64_t vertices = mesh::vertices_of(call.problem);
  clear(vertices, a.r);
  add_up(vertices, mesh::edges_of(call.problem), a.ends, a.w, a.q, a.r);
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for over edges, atomic additions");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

}  // namespace

std::vector<Variant> mesh_target() {
  return {
      named("gather", gather::form()),
      named("parallel_for", parallel_for::form()),
  };
}

}  // namespace sextant
