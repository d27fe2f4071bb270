#include "loop.hpp"
#include "toolbox/target/teams.hpp"
#include "values.hpp"

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

template <typename T>
void evaluate(std::int64_t n, std::int64_t degree, const T* c, const T* x, T* y) {
  const std::int64_t coefficients = degree + 1;
#pragma omp target teams distribute parallel for map(to : c [0:coefficients], x [0:n]) map(from : y [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = c[degree];
    for (std::int64_t k = degree - 1; k >= 0; --k) sum = sum * x[i] + c[k];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  evaluate(call.problem.extents.x, horner::degree_of(call.problem), call.array<const T>(0),
           call.array<const T>(1), call.array<T>(2));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for over the values");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// Each team is one warp; a lane evaluates several points at a time.
namespace values {

struct Shape {
  int teams = 1024, values_per_thread = 8;
};

template <int values, typename T>
void evaluate(std::int64_t n, std::int64_t degree, const T* c, const T* x, T* y, int most_teams) {
  const std::int64_t coefficients = degree + 1, threads = (n + values - 1) / values;
  const int teams = target::teams_for(most_teams, threads, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(c [0:coefficients], x [0:n], y [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    const std::int64_t i = thread * values;
    if (i + values <= n) {
      horner::evaluate_values<values>(degree, c, x + i, y + i);
    } else {
      for (std::int64_t k = i; k < n; ++k) y[k] = horner::evaluate_one(degree, c, x[k]);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  horner::Values::with(shape.values_per_thread, [&]<int values>() {
    evaluate<values>(call.problem.extents.x, horner::degree_of(call.problem), call.array<const T>(0),
                     call.array<const T>(1), call.array<T>(2), shape.teams);
  });
}

Variant form() {
  Variant variant = target::mapped_variant("teams of one warp, 4 to 16 values in flight per lane");
  variant.tunables =
      tunables<Shape>({{"teams", &Shape::teams, target::team_counts},
                       {"values_per_thread", &Shape::values_per_thread, horner::Values::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace values

}  // namespace

std::vector<Variant> horner_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("values_per_thread", values::form()),
  };
}

}  // namespace sextant
