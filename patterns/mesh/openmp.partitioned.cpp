// sizes: large
// Each thread has a range of vertices and, from prepare, the edges that end there; of an edge between two ranges each adds its own end.
#include <omp.h>

#include <vector>

#include "loop.hpp"
#include "mesh.hpp"

namespace sextant {
namespace {

using Parts = std::vector<std::vector<std::int32_t>>;  // of edges

template <typename T>
void add_part(const mesh::Arrays<T>& a, const std::vector<std::int32_t>& edges, std::int64_t begin,
              std::int64_t end) {
  for (std::int64_t v = begin; v < end; ++v) a.r[v] = 0;
  for (const std::int32_t e : edges) {
    const std::int32_t i = a.ends[2 * e], j = a.ends[2 * e + 1];
    const T f = a.w[e] * (a.q[j] - a.q[i]);
    if (i >= begin && i < end) a.r[i] += f;
    if (j >= begin && j < end) a.r[j] -= f;
  }
}

std::int64_t begin_of(std::int64_t vertices, std::int64_t parts, std::int64_t part) {
  return (vertices + parts - 1) / parts * part < vertices ? (vertices + parts - 1) / parts * part : vertices;
}

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto& parts = *static_cast<const Parts*>(call.state);
  const auto count = static_cast<std::int64_t>(parts.size());
  const std::int64_t vertices = mesh::vertices_of(call.problem);
#pragma omp parallel for schedule(static)
  for (std::int64_t p = 0; p < count; ++p)
    add_part(a, parts[static_cast<std::size_t>(p)], begin_of(vertices, count, p),
             begin_of(vertices, count, p + 1));
}

const char* prepare(const Call& call, void** state) {
  const auto* ends = call.array<const std::int32_t>(0);
  const std::int64_t vertices = mesh::vertices_of(call.problem), edges = mesh::edges_of(call.problem),
                     count = omp_get_max_threads(), each = (vertices + count - 1) / count;
  auto* parts = new Parts(static_cast<std::size_t>(count));
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::int64_t of_i = ends[2 * e] / each, of_j = ends[2 * e + 1] / each;
    (*parts)[static_cast<std::size_t>(of_i)].push_back(static_cast<std::int32_t>(e));
    if (of_j != of_i) (*parts)[static_cast<std::size_t>(of_j)].push_back(static_cast<std::int32_t>(e));
  }
  *state = parts;
  return nullptr;
}

}  // namespace

Variant mesh_openmp_partitioned() {
  Variant variant;
  variant.description =
      "a range of vertices a thread, with the edges that end there: no two threads add at one place";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = [](const Problem& problem, const int*) { return 8 * mesh::edges_of(problem); };
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Parts*>(state); };
  return variant;
}

}  // namespace sextant
