// The form that one would write first. Atomic additions of floating-point numbers are loops of compare and exchange.
#include "loop.hpp"
#include "mesh.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

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

}  // namespace

Variant mesh_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for over edges, atomic additions");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
