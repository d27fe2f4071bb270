#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// One target region applies all maps, with one element per SIMD lane. Each team has a single thread, because
// starting more threads takes time.
namespace fused {

template <typename T>
void chain(std::int64_t n, std::int64_t steps, const T* x, const T* y0, T* y, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(x [0:n], y0 [0:n], y [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    const T a = x[i];
    T b = y0[i];
    std::int64_t t = 0;
    for (; t + 1 < steps; t += 2) {
      const T once = T(0.5) * b + a;
      b = T(0.5) * once - a;
    }
    y[i] = t < steps ? T(0.5) * b + a : b;
  }
}

template <typename T>
void launch(const Call& call) {
  chain(call.problem.extents.x, map_chain::steps_of(call.problem), call.array<const T>(0),
        call.array<const T>(1), call.array<T>(2), call.tuned<target::Warps>());
}

Variant form() {
  Variant variant = target::warps_variant("all maps in one region, one element per lane");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace fused

namespace region_each {

template <typename T>
void region(std::int64_t n, const T* x, const T* from, T* y, T sign) {
#pragma omp target teams distribute parallel for map(to : x [0:n], from [0:n]) map(from : y [0:n])
  for (std::int64_t i = 0; i < n; ++i) y[i] = T(0.5) * from[i] + sign * x[i];
}

template <typename T>
void launch(const Call& call) {
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t t = 0; t < map_chain::steps_of(call.problem); ++t)
    region(call.problem.extents.x, x, t == 0 ? y0 : y, y, t % 2 == 0 ? T(1) : T(-1));
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: one region per map");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace region_each

}  // namespace

std::vector<Variant> map_chain_target() {
  return {
      named("fused", fused::form()),
      named("region_each", region_each::form()),
  };
}

}  // namespace sextant
