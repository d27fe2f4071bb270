// What the OpenACC variants share: the second lattice on the device, one node's work, and the talk's time
// loop. f and flags lie in the data region that Home::openacc stands for.
#pragma once

#include <cstdlib>

#include "flags.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant::lbm_d3q15 {

struct DeviceState {
  char* other = nullptr;  // a second lattice
  Links* links = nullptr;
  std::int64_t nodes = 0, bytes = 0;
};

inline void release_openacc(void* state) {
  auto* const device = static_cast<DeviceState*>(state);
  char* other = device->other;
  Links* links = device->links;
  const std::int64_t nodes = device->nodes, bytes = device->bytes;
#pragma acc exit data delete (other [0:bytes], links [0:nodes])
  std::free(other);
  std::free(links);
  delete device;
}

template <typename T>
const char* prepare_openacc(const Call& call, void** state) {
  T* flags = call.array<T>(1);
  const std::int64_t nodes = call.problem.extents.count(),
                     bytes = directions * nodes * static_cast<std::int64_t>(sizeof(T));
#pragma acc update self(flags [0:nodes])
  if (const char* reason = refuse_flags(call.problem, flags)) return reason;
  char* other = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  Links* links = static_cast<Links*>(std::malloc(static_cast<std::size_t>(nodes) * sizeof(Links)));
  if (!other || !links) {
    std::free(other);
    std::free(links);
    return "host memory ran out";
  }
  make_links(call.problem.extents, flags, links);
#pragma acc enter data create(other [0:bytes]) copyin(links [0:nodes])
  *state = new DeviceState{other, links, nodes, bytes};
  return nullptr;
}

template <typename T>
T* other_lattice(const Call& call) {
  return reinterpret_cast<T*>(static_cast<const DeviceState*>(call.state)->other);
}

inline void complete_openacc_variant(Variant& variant) {
  variant.home = Home::openacc;
  variant.workspace = [](const Problem& problem, const int*) {
    const auto size = static_cast<std::int64_t>(element_size(problem.type));
    return problem.extents.count() * (directions * size + static_cast<std::int64_t>(sizeof(Links)));
  };
  variant.prepare = prepare_either<prepare_openacc<float>, prepare_openacc<double>>;
  variant.release = release_openacc;
}

// What arrives at node (x, y, z), from f to g.
template <typename T, typename Index>
SEXTANT_INLINE void propagate_node(Index nx, Index ny, Index nz, Index x, Index y, Index z, const T* flags,
                                   const T* f, T* g) {
  const Index i = (z * ny + y) * nx + x;
  if (flags[i] != 0) return;
  const std::int64_t nodes = std::int64_t{nx} * ny * nz;
  const Neighbours<Index> to = neighbours_of(nx, ny, nz, x, y, z);
#pragma GCC unroll 15
  for (int k = 0; k < directions; ++k) {
    const Index from = i + source(to, k);
    g[k * nodes + i] = flags[from] != 0 ? f[opposite(k) * nodes + i] : f[k * nodes + from];
  }
}

template <typename T, typename Index>
SEXTANT_INLINE void collide_node(std::int64_t nodes, Index i, const Rates<T> rates, const T* flags,
                                 const T* g, T* f) {
  if (flags[i] != 0) return;
  T node[directions];
#pragma GCC unroll 15
  for (int k = 0; k < directions; ++k) node[k] = g[k * nodes + i];
  collide(node, rates);
#pragma GCC unroll 15
  for (int k = 0; k < directions; ++k) f[k * nodes + i] = node[k];
}

// The talk's time loop; Kernels::propagate and Kernels::collide are its two functions under their directives.
template <typename Kernels, typename T>
void time_loop(const Call& call) {
  T *f = call.array<T>(0), *g = other_lattice<T>(call);
  const T* flags = call.array<const T>(1);
  const Rates<T> rates = rates_of<T>(call.problem);
  for (std::int64_t step = 0; step < steps_of(call.problem); ++step) {
    call.phase("propagate");
    Kernels::propagate(call.problem.extents, flags, f, g);
    call.phase("collide");
    Kernels::collide(call.problem.extents, rates, flags, g, f);
  }
  call.phase("");
}

}  // namespace sextant::lbm_d3q15
