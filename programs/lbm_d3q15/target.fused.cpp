// One kernel a step, from lattice to lattice, with walls from packed flags. No `parallel`: a team is one thread, whose
// lanes share the nodes of a row.
#include "target.hpp"

#include <limits>
#include <utility>

namespace sextant {
namespace {

using namespace lbm_d3q15;

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
  if (steps_of(call.problem) % 2 != 0) {  // so that the last step ends in f
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

}  // namespace

Variant lbm_d3q15_target_fused() {
  Variant variant =
      target::warps_variant("one kernel a step from lattice to lattice, rows to teams of one thread");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_target_variant(variant);
  return variant;
}

}  // namespace sextant
