// A region a colour, within which no two edges meet.
#include "on_device.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

struct State {
  std::int32_t* order;              // on the device
  std::vector<std::int32_t> begin;  // of colours in it
};

template <typename T>
void clear(std::int64_t vertices, T* r) {
#pragma acc parallel loop gang vector deviceptr(r)
  for (std::int64_t v = 0; v < vertices; ++v) r[v] = 0;
}

template <int length, typename T>
void add_colour(std::int32_t begin, std::int32_t end, const std::int32_t* order, const std::int32_t* ends,
                const T* w, const T* q, T* r) {
#pragma acc parallel loop gang vector vector_length(length) deviceptr(order, ends, w, q, r)
  for (std::int32_t at = begin; at < end; ++at) {
    const std::int32_t e = order[at], i = ends[2 * std::int64_t{e}], j = ends[2 * std::int64_t{e} + 1];
    const T f = w[e] * (q[j] - q[i]);
    r[i] += f;
    r[j] -= f;
  }
}

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const auto* ends = mesh::array_on_device<const std::int32_t>(call, 0);
  const T *w = mesh::array_on_device<const T>(call, 1), *q = mesh::array_on_device<const T>(call, 2);
  T* r = mesh::array_on_device<T>(call, 3);
  clear(mesh::vertices_of(call.problem), r);
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    for (std::size_t c = 0; c + 1 < state.begin.size(); ++c)
      add_colour<length>(state.begin[c], state.begin[c + 1], state.order, ends, w, q, r);
  });
}

const char* prepare(const Call& call, void** state) {
  const auto ends = mesh::ends_from_device(call);
  mesh::Colours colours =
      mesh::colour(mesh::vertices_of(call.problem), mesh::edges_of(call.problem), ends.data());
  std::int32_t* order = mesh::to_device(colours.order);
  if (!order) return "no device memory for the edges by colours";
  *state = new State{order, std::move(colours.begin)};
  return nullptr;
}

}  // namespace

Variant mesh_openacc_coloured() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a region a colour, within which no two edges meet; colours are made in prepare";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.workspace = [](const Problem& problem, const int*) { return 4 * mesh::edges_of(problem); };
  variant.prepare = prepare;
  variant.release = [](void* state) {
    acc_free(static_cast<State*>(state)->order);
    delete static_cast<State*>(state);
  };
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
