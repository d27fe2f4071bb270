#include <cstdlib>
#include <limits>
#include <utility>

#include "nodes.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

// Components that the OpenMP offload variants share: allocation of the second lattice on the device. The data
// region for MemorySpace::target contains f and flags.
namespace sextant::lbm_d3q15 {

inline void release_target(void* state) {
  auto* const device = static_cast<DeviceState*>(state);
  char* other = device->other;
  Links* links = device->links;
  const std::int64_t nodes = device->nodes, bytes = device->bytes;
#pragma omp target exit data map(delete : other [0:bytes], links [0:nodes])
  std::free(other);
  std::free(links);
  delete device;
}

template <typename T>
const char* prepare_target(const Call& call, void** state) {
  T* flags = call.array<T>(1);
  const std::int64_t nodes = call.problem.extents.count(),
                     bytes = directions * nodes * static_cast<std::int64_t>(sizeof(T));
#pragma omp target update from(flags [0:nodes])
  if (const char* reason = refuse_flags(call.problem, flags)) return reason;
  char* other = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  Links* links = static_cast<Links*>(std::malloc(static_cast<std::size_t>(nodes) * sizeof(Links)));
  if (!other || !links) {
    std::free(other);
    std::free(links);
    return "host memory ran out";
  }
  make_links(call.problem.extents, flags, links);
#pragma omp target enter data map(alloc : other [0:bytes]) map(to : links [0:nodes])
  *state = new DeviceState{other, links, nodes, bytes};
  return nullptr;
}

inline void complete_target_variant(Variant& variant) {
  variant.memory_space = MemorySpace::target;
  variant.workspace = [](const Problem& problem, const int*) {
    const auto size = static_cast<std::int64_t>(element_size(problem.type));
    return problem.extents.count() * (directions * size + static_cast<std::int64_t>(sizeof(Links)));
  };
  variant.prepare = prepare_either<prepare_target<float>, prepare_target<double>>;
  variant.prepare_depends_on = DependsOn::structure;
  variant.release = release_target;
}

}  // namespace sextant::lbm_d3q15

namespace sextant {
namespace {

using namespace lbm_d3q15;

// One kernel per step updates the nodes from one lattice to the other. It reads the walls from the packed
// links. SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread,
// whose SIMD lanes share the nodes of a row.
namespace fused {

template <typename T, typename Index>
void step(Index nx, Index ny, Index nz, int teams, const Rates<T> rates, const Links* links, const T* f,
          T* g) {
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz, all = directions * nodes;
  const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma omp target SEXTANT_ONE_WARP map(links [0:nodes], f [0:all], g [0:all])
#pragma omp teams distribute collapse(2) num_teams(teams)
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
#pragma omp SEXTANT_LANES
      for (Index x = 0; x < nx; ++x)
        update_node(nx, ny, nz, x, y, z, Rates<T>{keep, face, corner, push}, links, f, g);
}

template <typename T>
void copy(std::int64_t all, const T* f, T* g, int teams) {
#pragma omp target SEXTANT_ONE_WARP map(f [0:all], g [0:all])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < all; ++i) g[i] = f[i];
}

template <typename T>
void launch(const Call& call) {
  const int most = call.tuned<target::Warps>().teams;
  const Links* const links = static_cast<const DeviceState*>(call.state)->links;
  const Rates<T> rates = rates_of<T>(call.problem);
  const Extents& size = call.problem.extents;
  const std::int64_t all = directions * size.count();
  const int teams = target::teams_for(most, size.y * size.z, 1);
  T *now = call.array<T>(0), *next = other_lattice<T>(call);
  if (steps_of(call.problem) % 2 != 0) {  // so that the last step writes f
    copy(all, now, next, target::teams_for(most, all, target::lanes));
    std::swap(now, next);
  }
  const auto run = [&]<typename Index>() {
    for (std::int64_t t = 0; t < steps_of(call.problem); ++t, std::swap(now, next))
      step(static_cast<Index>(size.x), static_cast<Index>(size.y), static_cast<Index>(size.z), teams, rates,
           links, now, next);
  };
  if (all <= std::numeric_limits<std::int32_t>::max())
    run.template operator()<std::int32_t>();
  else
    run.template operator()<std::int64_t>();
}

Variant form() {
  Variant variant = target::warps_variant(
      "one kernel per step from one lattice to the other; each team is one thread whose SIMD lanes share a "
      "row");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_target_variant(variant);
  return variant;
}

}  // namespace fused

// Two kernels per step as in the talk "Introduction to OpenACC", each a loop over all nodes. OpenMP chooses
// the numbers of teams and threads.
namespace parallel_for {

template <typename Index>
struct Collapsed {
  template <typename T>
  static void propagate(const Extents& size, const T* flags, const T* f, T* g) {
    const Index nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
                nz = static_cast<Index>(size.z);
    const std::int64_t nodes = size.count(), all = directions * nodes;
#pragma omp target map(to : flags [0:nodes], f [0:all]) map(tofrom : g [0:all])
#pragma omp teams distribute parallel for collapse(3)
    for (Index z = 0; z < nz; ++z)
      for (Index y = 0; y < ny; ++y)
        for (Index x = 0; x < nx; ++x) propagate_node(nx, ny, nz, x, y, z, flags, f, g);
  }

  template <typename T>
  static void collide(const Extents& size, const Rates<T> rates, const T* flags, const T* g, T* f) {
    const Index nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
                nz = static_cast<Index>(size.z);
    const std::int64_t nodes = size.count(), all = directions * nodes;
    const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma omp target map(to : flags [0:nodes], g [0:all]) map(tofrom : f [0:all])
#pragma omp teams distribute parallel for collapse(3)
    for (Index z = 0; z < nz; ++z)
      for (Index y = 0; y < ny; ++y)
        for (Index x = 0; x < nx; ++x)
          collide_node(nodes, (z * ny + y) * nx + x, Rates<T>{keep, face, corner, push}, flags, g, f);
  }
};

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() { time_loop<Collapsed<Index>, T>(call); });
}

Variant form() {
  Variant variant;
  variant.description = "two kernels per step, target teams distribute parallel for collapse(3)";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_target_variant(variant);
  return variant;
}

}  // namespace parallel_for

}  // namespace

std::vector<Variant> lbm_d3q15_target() {
  return {
      named("fused", fused::form()),
      named("parallel_for", parallel_for::form()),
  };
}

}  // namespace sextant
