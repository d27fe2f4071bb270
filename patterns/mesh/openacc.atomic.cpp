// The form that one would write first. Atomic additions of floating-point numbers are loops of compare and exchange.
#include "loop.hpp"
#include "mesh.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

template <typename T>
void clear(std::int64_t vertices, T* r) {
#pragma acc parallel loop gang vector present(r [0:vertices])
  for (std::int64_t v = 0; v < vertices; ++v) r[v] = 0;
}

template <int length, typename T>
void add_up(std::int64_t vertices, std::int64_t edges, const std::int32_t* ends, const T* w, const T* q,
            T* r) {
  const std::int64_t all = 2 * edges;
#pragma acc parallel loop gang vector vector_length(length) \
    present(ends [0:all], w [0:edges], q [0:vertices], r [0:vertices])
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::int32_t i = ends[2 * e], j = ends[2 * e + 1];
    const T f = w[e] * (q[j] - q[i]);
#pragma acc atomic update
    r[i] += f;
#pragma acc atomic update
    r[j] -= f;
  }
}

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const std::int64_t vertices = mesh::vertices_of(call.problem);
  clear(vertices, a.r);
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    add_up<length>(vertices, mesh::edges_of(call.problem), a.ends, a.w, a.q, a.r);
  });
}

}  // namespace

Variant mesh_openacc_atomic() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a parallel loop over edges, atomic additions";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
