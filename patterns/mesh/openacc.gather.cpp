// A vertex a thread, which adds up its own edges: every edge is computed twice, and nothing is atomic.
#include "on_device.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

struct State {
  std::int32_t* row;
  mesh::Link* links;
};

template <int length, typename T>
void gather(std::int64_t vertices, const std::int32_t* row, const mesh::Link* links, const T* w, const T* q,
            T* r) {
#pragma acc parallel loop gang vector vector_length(length) deviceptr(row, links, w, q, r)
  for (std::int64_t v = 0; v < vertices; ++v) {
    T sum = 0;
#pragma acc loop seq
    for (std::int32_t at = row[v]; at < row[v + 1]; ++at)
      sum += w[links[at].edge] * (q[links[at].other] - q[v]);
    r[v] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    gather<length>(mesh::vertices_of(call.problem), state.row, state.links,
                   mesh::array_on_device<const T>(call, 1), mesh::array_on_device<const T>(call, 2),
                   mesh::array_on_device<T>(call, 3));
  });
}

const char* prepare(const Call& call, void** state) {
  const auto ends = mesh::ends_from_device(call);
  const mesh::Incidence lists =
      mesh::incidence_of(mesh::vertices_of(call.problem), mesh::edges_of(call.problem), ends.data());
  std::int32_t* row = mesh::to_device(lists.row);
  mesh::Link* links = row ? mesh::to_device(lists.links) : nullptr;
  if (!links) {
    if (row) acc_free(row);
    return "no device memory for the vertices' edges";
  }
  *state = new State{row, links};
  return nullptr;
}

}  // namespace

Variant mesh_openacc_gather() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a vertex a thread, which adds up its own edges, listed in prepare";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.workspace = [](const Problem& problem, const int*) {
    return 16 * mesh::edges_of(problem) + 4 * (mesh::vertices_of(problem) + 1);
  };
  variant.prepare = prepare;
  variant.release = [](void* state) {
    acc_free(static_cast<State*>(state)->row);
    acc_free(static_cast<State*>(state)->links);
    delete static_cast<State*>(state);
  };
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
