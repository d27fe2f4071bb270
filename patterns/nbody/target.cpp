#include "loop.hpp"
#include "newton.hpp"
#include "suite/choices.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

template <typename T>
void attract(std::int64_t n, const T* x, const T* y, const T* z, const T* m, T* ax, T* ay, T* az) {
#pragma omp target teams distribute parallel for map(to                                    \
                                                     : x [0:n], y [0:n], z [0:n], m [0:n]) \
    map(from                                                                               \
        : ax [0:n], ay [0:n], az [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    T to_x = 0, to_y = 0, to_z = 0;
    for (std::int64_t j = 0; j < n; ++j)
      nbody::pull<nbody::LibraryRoot>(x[j] - x[i], y[j] - y[i], z[j] - z[i], m[j], to_x, to_y, to_z);
    ax[i] = to_x;
    ay[i] = to_y;
    az[i] = to_z;
  }
}

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  attract(call.problem.extents.x, all.x, all.y, all.z, all.m, all.ax, all.ay, all.az);
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for over bodies");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// Each team is one warp, and each lane computes several bodies.
namespace registers {

using Counts = Choices<1, 2, 4>;

struct Shape {
  int teams = 1024, bodies_per_thread = 4;
};

template <int count, typename T>
void attract(std::int64_t n, const T* x, const T* y, const T* z, const T* m, T* ax, T* ay, T* az,
             int most_teams) {
  const std::int64_t threads = (n + count - 1) / count;
  const int teams = target::teams_for(most_teams, threads, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(x [0:n], y [0:n], z [0:n], m [0:n], ax [0:n], ay [0:n], az [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t thread = 0; thread < threads; ++thread)
    nbody::attract_some<count>(n, thread * count, x, y, z, m, ax, ay, az);
}

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const auto shape = call.tuned<Shape>();
  Counts::with(shape.bodies_per_thread, [&]<int count>() {
    attract<count>(call.problem.extents.x, all.x, all.y, all.z, all.m, all.ax, all.ay, all.az, shape.teams);
  });
}

// Chooses the number of bodies per lane such that each of an H200's 528 warp schedulers gets at least two
// warps.
void adapt(const Problem& problem, Shape& shape) {
  shape.bodies_per_thread = problem.extents.x >= 4 * 2 * 32 * 528 ? 4
                            : problem.extents.x >= 2 * 32 * 528   ? 2
                                                                  : 1;
}

Variant form() {
  Variant variant = target::mapped_variant(
      "up to 4 bodies per lane share each read of an attracting body; roots by Newton's method");
  variant.tunables = tunables<Shape>({{"teams", &Shape::teams, target::team_counts},
                                      {"bodies_per_thread", &Shape::bodies_per_thread, Counts::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace registers

}  // namespace

std::vector<Variant> nbody_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("registers", registers::form()),
  };
}

}  // namespace sextant
