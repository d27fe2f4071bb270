#include "openacc.hpp"

#include <limits>
#include <utility>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

struct Threads {
  int vector_length = 64, items = 1;  // items: nodes of a thread
};

using VectorLengths = Choices<32, 64, 128, 256>;

// Synchronous: with GCC's run time an asynchronous launch costs five times as much (docs/openacc.md).
template <int length, typename T, typename Index>
void step(Index nx, Index ny, Index nz, int items, const Rates<T> rates, const Links* links, const T* f,
          T* g) {
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz, all = directions * nodes;
  const int gangs = openacc::gangs_for(nodes, length * items);
  const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma acc parallel loop gang(static : 1) vector collapse(3) num_gangs(gangs) vector_length(length) \
    present(links [0:nodes], f [0:all], g [0:all])
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x)
        update_node(nx, ny, nz, x, y, z, Rates<T>{keep, face, corner, push}, links, f, g);
}

template <typename T>
void copy(std::int64_t all, const T* f, T* g) {
  const int gangs = openacc::gangs_for(all, 256);
#pragma acc parallel loop gang(static : 1) vector num_gangs(gangs) vector_length(256) \
    present(f [0:all], g [0:all])
  for (std::int64_t i = 0; i < all; ++i) g[i] = f[i];
}

// Calls function.template operator()<Index>() with the narrowest type that counts the lattice's densities.
template <typename Function>
void with_density_index(const Extents& size, Function&& function) {
  constexpr std::int64_t slack = 1 << 22;  // the last gangs' runs may reach past the end before they are cut
  if (directions * size.count() <= std::numeric_limits<std::int32_t>::max() - slack)
    function.template operator()<std::int32_t>();
  else
    function.template operator()<std::int64_t>();
}

template <typename T>
void launch(const Call& call) {
  const auto threads = call.tuned<Threads>();
  const Links* const links = static_cast<const DeviceState*>(call.state)->links;
  const Rates<T> rates = rates_of<T>(call.problem);
  const Extents& size = call.problem.extents;
  T *now = call.array<T>(0), *next = other_lattice<T>(call);
  if (steps_of(call.problem) % 2 != 0) {  // so that the last step ends in f
    copy(directions * size.count(), now, next);
    std::swap(now, next);
  }
  with_density_index(size, [&]<typename Index>() {
    VectorLengths::with(threads.vector_length, [&]<int length>() {
      for (std::int64_t t = 0; t < steps_of(call.problem); ++t, std::swap(now, next))
        step<length>(static_cast<Index>(size.x), static_cast<Index>(size.y), static_cast<Index>(size.z),
                     threads.items, rates, links, now, next);
    });
  });
}

}  // namespace

Variant lbm_d3q15_openacc_fused() {
  Variant variant;
  variant.description = "one kernel a step from lattice to lattice, collapse(3), walls from packed flags";
  variant.tunables = tunables<Threads>({{"vector_length", &Threads::vector_length, VectorLengths::list()},
                                        {"items", &Threads::items, {1, 2, 4, 8, 16}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace sextant
