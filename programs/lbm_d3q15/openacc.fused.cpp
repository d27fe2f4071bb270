#include "openacc.hpp"

#include <utility>

#include "suite/choices.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

using VectorLengths = Choices<64, 128, 256, 512>;

// Walls cost one 16-bit load a node, and the two passes over memory become one.
template <int length, typename T, typename Index>
void step(Index nx, Index ny, Index nz, const Rates<T> rates, const Links* links, const T* f, T* g) {
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz, all = directions * nodes;
  const int gangs = openacc::gangs_for(nodes, length);
  const T keep = rates.keep, rest = rates.rest, face = rates.face, corner = rates.corner, push = rates.push;
#pragma acc parallel loop gang(static : 1) vector collapse(3) num_gangs(gangs) vector_length(length) \
    present(links [0:nodes], f [0:all], g [0:all])
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x) {
        const Index i = (z * ny + y) * nx + x;
        const unsigned bits = links[i];
        if (bits & solid_node) continue;
        const Neighbours<Index> to = neighbours_of(nx, ny, nz, x, y, z);
        T node[directions];
#pragma GCC unroll 15
        for (int k = 0; k < directions; ++k) {
          const std::int64_t own = opposite(k) * nodes + i, other = k * nodes + (i + source(to, k));
          node[k] = f[(bits >> k) & 1 ? own : other];
        }
        collide(node, Rates<T>{keep, rest, face, corner, push});
#pragma GCC unroll 15
        for (int k = 0; k < directions; ++k) g[k * nodes + i] = node[k];
      }
}

template <typename T>
void copy(std::int64_t all, const T* f, T* g) {
  const int gangs = openacc::gangs_for(all, 256);
#pragma acc parallel loop gang(static : 1) vector num_gangs(gangs) vector_length(256) \
    present(f [0:all], g [0:all])
  for (std::int64_t i = 0; i < all; ++i) g[i] = f[i];
}

template <typename T>
void launch(const Call& call) {
  const Links* const links = static_cast<const DeviceState*>(call.state)->links;
  const Rates<T> rates = rates_of<T>(call.problem);
  const Extents& size = call.problem.extents;
  T *now = call.array<T>(0), *next = other_lattice<T>(call);
  if (steps_of(call.problem) % 2 != 0) {  // so that the last step ends in f
    copy(directions * size.count(), now, next);
    std::swap(now, next);
  }
  openacc::with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuning[0], [&]<int length>() {
      for (std::int64_t t = 0; t < steps_of(call.problem); ++t, std::swap(now, next))
        step<length>(static_cast<Index>(size.x), static_cast<Index>(size.y), static_cast<Index>(size.z),
                     rates, links, now, next);
    });
  });
}

}  // namespace

Variant lbm_d3q15_openacc_fused() {
  Variant variant;
  variant.description = "one kernel a step from lattice to lattice, collapse(3), walls from packed flags";
  variant.tunables = {{"vector_length", VectorLengths::list(), 256}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace sextant
