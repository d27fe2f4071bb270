#include <cmath>

#include "loop.hpp"
#include "panels.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// Factorization in panels of 32 columns (panels.hpp), with one thread per team.
namespace panels {

template <typename T>
void copy_lower(std::int64_t n, const T* a, T* l, int most_teams) {
  const std::int64_t count = n * n;
  const int teams = target::teams_for(most_teams, count, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(a [0:count], l [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t at = 0; at < count; ++at) l[at] = at % n <= at / n ? a[at] : T(0);
}

template <typename T>
void factor_column(std::int64_t n, std::int64_t k, std::int64_t j, T* l, int most_teams) {
  const std::int64_t count = n * n;
  const int teams = target::teams_for(most_teams, n - j, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(l [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = j + 1; i < n; ++i) cholesky::factor_element(n, k, j, i, l);
}

template <typename T>
void subtract(std::int64_t n, std::int64_t k, std::int64_t end, T* l, int most_teams) {
  const std::int64_t count = n * n, across = cholesky::cells_across(n - end), all = across * across;
  const int teams = target::teams_for(most_teams, all, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(l [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t at = 0; at < all; ++at)
    cholesky::subtract_cell(n, k, end, end + at / across * cholesky::cell, end + at % across * cholesky::cell,
                            l);
}

template <typename T>
void take_roots(std::int64_t n, T* l, int most_teams) {
  const std::int64_t count = n * n;
  const int teams = target::teams_for(most_teams, n, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(l [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t j = 0; j < n; ++j)
    l[j * n + j] = std::sqrt(cholesky::square_of(n, l, j / cholesky::panel * cholesky::panel, j));
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T* l = call.array<T>(1);
  const int teams = call.tuned<target::Warps>().teams;
  copy_lower(n, call.array<const T>(0), l, teams);
  for (std::int64_t k = 0; k < n; k += cholesky::panel) {
    const std::int64_t end = std::min(n, k + cholesky::panel);
    for (std::int64_t j = k; j < end && j + 1 < n; ++j) factor_column(n, k, j, l, teams);
    if (end < n) subtract(n, k, end, l, teams);
  }
  take_roots(n, l, teams);
}

Variant form() {
  Variant variant = target::warps_variant(
      "panels of 32 columns in teams of one thread; each lane updates 4 x 4 elements of the rest");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace panels

// The straightforward implementation: one target region per column. Each thread computes the square root of
// the column's diagonal element itself.
namespace parallel_for {

template <typename T>
void factor_column(std::int64_t n, std::int64_t j, const T* a, T* l) {
  const std::int64_t count = n * n;
#pragma omp target teams distribute parallel for map(a [0:count], l [0:count])
  for (std::int64_t i = 0; i < n; ++i) {
    if (i < j) {
      l[i * n + j] = 0;
    } else {
      T square = a[j * n + j], sum = a[i * n + j];
      for (std::int64_t k = 0; k < j; ++k) {
        square -= l[j * n + k] * l[j * n + k];
        sum -= l[i * n + k] * l[j * n + k];
      }
      l[i * n + j] = i == j ? std::sqrt(square) : sum / std::sqrt(square);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  for (std::int64_t j = 0; j < n; ++j) factor_column(n, j, call.array<const T>(0), call.array<T>(1));
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for, one region per column, one thread per row");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

}  // namespace

std::vector<Variant> cholesky_target() {
  return {
      named("panels", panels::form()),
      named("parallel_for", parallel_for::form()),
  };
}

}  // namespace sextant
