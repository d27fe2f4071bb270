#include <openacc.h>

#include <vector>

#include "lists.hpp"
#include "loop.hpp"
#include "mesh.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// Functions that the OpenACC variants use in `prepare` to build data structures on the device.
namespace sextant::mesh {

// Copies the indices of the edges' end vertices from the device.
inline std::vector<std::int32_t> ends_from_device(const Call& call) {
  std::vector<std::int32_t> ends(static_cast<std::size_t>(2 * edges_of(call.problem)));
  acc_memcpy_from_device(ends.data(), acc_deviceptr(call.address(0)), 4 * ends.size());
  return ends;
}

// Copies a vector to new device memory. Returns null if the allocation fails.
template <typename T>
T* to_device(const std::vector<T>& values) {
  T* device = static_cast<T*>(acc_malloc(values.size() * sizeof(T)));
  if (device) acc_memcpy_to_device(device, const_cast<T*>(values.data()), values.size() * sizeof(T));
  return device;
}

template <typename T>
T* array_on_device(const Call& call, int index) {
  return static_cast<T*>(acc_deviceptr(call.address(index)));
}

}  // namespace sextant::mesh

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The straightforward implementation. Atomic floating-point additions compile to compare-and-exchange loops.
namespace atomic {

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

}  // namespace atomic

// One compute region per colour of an edge colouring. No two edges of a colour share a vertex, so no atomics
// are needed.
namespace coloured {

struct State {
  std::int32_t* order;              // device address of the edges ordered by colour
  std::vector<std::int32_t> begin;  // start of each colour in `order`
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
  if (!order) return "no device memory for the edges sorted by colour";
  *state = new State{order, std::move(colours.begin)};
  return nullptr;
}

}  // namespace coloured

// One thread per vertex adds up the flows of all edges at its vertex. Every edge is computed twice, but no
// addition is atomic.
namespace gather {

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
    return "no device memory for the vertices' edge lists";
  }
  *state = new State{row, links};
  return nullptr;
}

}  // namespace gather

}  // namespace

std::vector<Variant> mesh_openacc() {
  return {
      {.name = "atomic",
       .description = "the plain form: a parallel loop over edges, atomic additions",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(atomic::launch)},
      {.name = "coloured",
       .description =
           "one region per edge colour, found beforehand; edges of a colour share no vertex, so no "
           "atomics",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(coloured::launch),
       .prepare = coloured::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release =
           [](void* state) {
             acc_free(static_cast<coloured::State*>(state)->order);
             delete static_cast<coloured::State*>(state);
           },
       .workspace = [](const Problem& problem, const int*) { return 4 * mesh::edges_of(problem); }},
      {.name = "gather",
       .description = "one vertex per lane, which sums its own edges from lists made beforehand; no atomics",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(gather::launch),
       .prepare = gather::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release =
           [](void* state) {
             acc_free(static_cast<gather::State*>(state)->row);
             acc_free(static_cast<gather::State*>(state)->links);
             delete static_cast<gather::State*>(state);
           },
       .workspace =
           [](const Problem& problem, const int*) {
             return 16 * mesh::edges_of(problem) + 4 * (mesh::vertices_of(problem) + 1);
           }},
  };
}

}  // namespace sextant
