#include "loop.hpp"
#include "mesh.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const std::int64_t vertices = mesh::vertices_of(call.problem), edges = mesh::edges_of(call.problem);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t v = 0; v < vertices; ++v) a.r[v] = 0;
#pragma omp for schedule(static)
    for (std::int64_t e = 0; e < edges; ++e) {
      const std::int32_t i = a.ends[2 * e], j = a.ends[2 * e + 1];
      const T f = a.w[e] * (a.q[j] - a.q[i]);
#pragma omp atomic
      a.r[i] += f;
#pragma omp atomic
      a.r[j] -= f;
    }
  }
}

}  // namespace

Variant mesh_openmp_atomic() {
  Variant variant;
  variant.description = "threads over edges, atomic additions";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
