#include "lists.hpp"
#include "loop.hpp"
#include "mesh.hpp"

namespace sextant {
namespace {

using mesh::Colours;

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto& colours = *static_cast<const Colours*>(call.state);
  const std::int64_t vertices = mesh::vertices_of(call.problem);
  const std::int32_t* order = colours.order.data();
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t v = 0; v < vertices; ++v) a.r[v] = 0;
    for (std::size_t c = 0; c < colours.count(); ++c) {
#pragma omp for schedule(static)
      for (std::int32_t at = colours.begin[c]; at < colours.begin[c + 1]; ++at) {
        const std::int32_t e = order[at], i = a.ends[2 * e], j = a.ends[2 * e + 1];
        const T f = a.w[e] * (a.q[j] - a.q[i]);
        a.r[i] += f;
        a.r[j] -= f;
      }
    }
  }
}

const char* prepare(const Call& call, void** state) {
  *state = new Colours(mesh::colour(mesh::vertices_of(call.problem), mesh::edges_of(call.problem),
                                    call.array<const std::int32_t>(0)));
  return nullptr;
}

}  // namespace

Variant mesh_openmp_coloured() {
  Variant variant;
  variant.description = "a loop a colour, within which no two edges meet; colours are made in prepare";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = [](const Problem& problem, const int*) { return 4 * mesh::edges_of(problem); };
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Colours*>(state); };
  return variant;
}

}  // namespace sextant
