// Components that the OpenACC and OpenMP offload variants share: the update of one node, and the time loop.
#pragma once

#include "flags.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::lbm_d3q15 {

// The state that `prepare` makes, on the host and with a device copy.
struct DeviceState {
  char* other = nullptr;  // the second lattice, with which f alternates
  Links* links = nullptr;
  std::int64_t nodes = 0, bytes = 0;
};

template <typename T>
T* other_lattice(const Call& call) {
  return reinterpret_cast<T*>(static_cast<const DeviceState*>(call.state)->other);
}

// Gathers the densities that arrive at node (x, y, z) from f, and stores them in g.
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

// Updates one node from one lattice to the other. A thread reads the densities that arrive at the node,
// collides them and writes them to the same node of the other lattice. A 16-bit load tells which neighbours
// are walls. Indices have a 32-bit type if possible, because GCC keeps the indices of all 15 directions in
// registers. With 64 bits, a thread needs 168 registers in double. Too few threads then fit to saturate the
// memory.
template <typename T, typename Index>
SEXTANT_INLINE void update_node(Index nx, Index ny, Index nz, Index x, Index y, Index z, const Rates<T> rates,
                                const Links* links, const T* f, T* g) {
  const Index i = (z * ny + y) * nx + x;
  Index nodes = nx * ny * nz;
#if defined(__GNUC__)
  // Without this statement, the compiler would also keep values derived from these variables in registers.
  asm("" : "+r"(nodes), "+r"(nx), "+r"(ny), "+r"(nz));
#endif
  const unsigned bits = links[i];
  if (bits & solid_node) return;
  const Neighbours<Index> to = neighbours_of(nx, ny, nz, x, y, z);
  T node[directions];
#pragma GCC unroll 15
  for (int k = 0; k < directions; ++k) {
    const Index own = opposite(k) * nodes + i, other = k * nodes + (i + source(to, k));
    // `wall` has all bits set if direction k comes from a wall, and no bits otherwise.
    const Index wall = -static_cast<Index>((bits >> k) & 1);
    node[k] = f[other ^ ((own ^ other) & wall)];  // GCC would turn `wall ? own : other` into a branch
  }
  collide(node, rates);
#pragma GCC unroll 15
  for (int k = 0; k < directions; ++k) g[k * nodes + i] = node[k];
}

// The time loop of the talk "Introduction to OpenACC". Kernels::propagate and Kernels::collide must be its
// two functions with directives.
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
