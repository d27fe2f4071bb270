// mesh: computes the flow along each edge of a triangular mesh and adds it to the edge's two vertices. The
// kernels mesh_ordered and mesh_shuffled differ in the numbering of edges and vertices.
//
//     for (v = 0; v < V; ++v) r[v] = 0;
//     for (e = 0; e < E; ++e) {
//       i = ends[2*e]; j = ends[2*e+1];
//       f = w[e] * (q[j] - q[i]);
//       r[i] += f; r[j] -= f;
//     }
#pragma once

#include <cstdint>

#include "mesh.hpp"
#include "suite/variant.hpp"

namespace sextant::mesh {

// The arrays of one call.
template <typename T, typename Index = std::int32_t>
struct Arrays {
  const Index* ends;
  const T *w, *q;
  T* r;

  explicit Arrays(const Call& call)
      : ends(call.array<const Index>(0)),
        w(call.array<const T>(1)),
        q(call.array<const T>(2)),
        r(call.array<T>(3)) {}
};

// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T, typename Index = std::int32_t>
static void add_up(std::int64_t vertices, std::int64_t edges, const Arrays<T, Index>& a) {
  for (std::int64_t v = 0; v < vertices; ++v) a.r[v] = 0;
  for (std::int64_t e = 0; e < edges; ++e) {
    const auto i = static_cast<std::int64_t>(a.ends[2 * e]), j = static_cast<std::int64_t>(a.ends[2 * e + 1]);
    const T f = a.w[e] * (a.q[j] - a.q[i]);
    a.r[i] += f;
    a.r[j] = a.r[j] - f;
  }
}

template <typename T, typename Index = std::int32_t>
static void loop(const Call& call) {
  add_up(vertices_of(call.problem), edges_of(call.problem), Arrays<T, Index>(call));
}

}  // namespace sextant::mesh
