// Each iteration adds up the flows of all edges at one vertex, so that no two iterations write the same
// element.
#include "lists.hpp"
#include "loop.hpp"
#include "mesh.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

using mesh::Incidence;

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto& lists = *static_cast<const Incidence*>(call.state);
  const std::int32_t* row = lists.row.data();
  const mesh::Link* links = lists.links.data();
  for_each_index(0, mesh::vertices_of(call.problem), [=](std::int64_t v) {
    T sum = 0;
    for (std::int32_t at = row[v]; at < row[v + 1]; ++at)
      sum += a.w[links[at].edge] * (a.q[links[at].other] - a.q[v]);
    a.r[v] = sum;
  });
}

const char* prepare(const Call& call, void** state) {
  *state = new Incidence(mesh::incidence_of(mesh::vertices_of(call.problem), mesh::edges_of(call.problem),
                                            call.array<const std::int32_t>(0)));
  return nullptr;
}

}  // namespace

std::vector<Variant> mesh_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over vertices, each of which sums its own edges from lists made "
                          "beforehand",
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .prepare = prepare,
           .prepare_depends_on = DependsOn::structure,
           .release = [](void* state) { delete static_cast<Incidence*>(state); },
           .workspace =
               [](const Problem& problem, const int*) {
                 return 16 * mesh::edges_of(problem) + 4 * mesh::vertices_of(problem);
               }}};
}

}  // namespace sextant
