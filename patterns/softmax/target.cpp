#include <cmath>

#include "exponential.hpp"
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

template <typename T>
void weigh(std::int64_t rows, std::int64_t columns, const T* x, T* y) {
  const std::int64_t count = rows * columns;
#pragma omp target teams distribute parallel for map(to : x [0:count]) map(from : y [0:count])
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t first = r * columns;
    T most = x[first], sum = 0;
    for (std::int64_t c = 1; c < columns; ++c) most = x[first + c] > most ? x[first + c] : most;
    for (std::int64_t c = 0; c < columns; ++c) {
      y[first + c] = std::exp(x[first + c] - most);
      sum += y[first + c];
    }
    for (std::int64_t c = 0; c < columns; ++c) y[first + c] /= sum;
  }
}

template <typename T>
void launch(const Call& call) {
  weigh(softmax::rows_of(call.problem), softmax::columns_of(call.problem), call.array<const T>(0),
        call.array<T>(1));
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: target teams distribute parallel for over rows");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// A team has one thread, which GCC maps to a warp. The 32 lanes of that warp share the loops over a row.
namespace teams_simd {

template <typename T>
void weigh(std::int64_t rows, std::int64_t columns, const T* x, T* y, int most_teams) {
  const std::int64_t count = rows * columns;
  const int teams = target::teams_for(most_teams, rows, 1);
#pragma omp target SEXTANT_ONE_WARP map(x [0:count], y [0:count])
#pragma omp teams distribute num_teams(teams)
  for (std::int64_t r = 0; r < rows; ++r) {
    const T* row = x + r * columns;
    T* to = y + r * columns;
    T most = row[0], sum = 0;
#pragma omp SEXTANT_LANES reduction(max : most)
    for (std::int64_t c = 0; c < columns; ++c) most = row[c] > most ? row[c] : most;
#pragma omp SEXTANT_LANES reduction(+ : sum)
    for (std::int64_t c = 0; c < columns; ++c) sum += softmax::exponential(row[c] - most);
    const T factor = 1 / sum;
#pragma omp SEXTANT_LANES
    for (std::int64_t c = 0; c < columns; ++c) to[c] = factor * softmax::exponential(row[c] - most);
  }
}

template <typename T>
void launch(const Call& call) {
  weigh(softmax::rows_of(call.problem), softmax::columns_of(call.problem), call.array<const T>(0),
        call.array<T>(1), call.tuned<target::Warps>().teams);
}

Variant form() {
  Variant variant =
      target::warps_variant("one row per team, whose SIMD lanes share the loops over its elements");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> softmax_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
