// No `parallel`: teams of one thread, whose lanes share a row's entries, or a part of a vector.
#include "target.hpp"

namespace sextant {
namespace {

using namespace npb_cg;

void multiply_rows(int teams, std::int64_t n, std::int64_t entries, const std::int64_t* row,
                   const std::int32_t* column, const double* value, const double* p, double* q) {
#pragma omp target SEXTANT_ONE_WARP map(row [0:n + 1], column [0:entries], value [0:entries], p [0:n], \
                                        q [0:n])
#pragma omp teams distribute num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t begin = row[i], quarter = (row[i + 1] - begin) / 4, end = row[i + 1];
    double first = 0, second = 0;
#pragma omp SEXTANT_LANES reduction(+ : first, second)
    for (std::int64_t e = begin; e < begin + quarter; ++e) {
      first += value[e] * p[column[e]] + value[e + quarter] * p[column[e + quarter]];
      second += value[e + 2 * quarter] * p[column[e + 2 * quarter]] +
                value[e + 3 * quarter] * p[column[e + 3 * quarter]];
    }
#pragma omp SEXTANT_LANES reduction(+ : first)
    for (std::int64_t e = begin + 4 * quarter; e < end; ++e) first += value[e] * p[column[e]];
    q[i] = first + second;
  }
}

void dot_parts(int teams, std::int64_t n, const double* a, const double* b, double* parts) {
#pragma omp target SEXTANT_ONE_WARP map(a [0:n], b [0:n], parts [0:teams])
#pragma omp teams distribute num_teams(teams)
  for (int team = 0; team < teams; ++team) {
    const std::int64_t begin = n * team / teams, end = n * (team + 1) / teams;
    double sum = 0;
#pragma omp SEXTANT_LANES reduction(+ : sum)
    for (std::int64_t i = begin; i < end; ++i) sum += a[i] * b[i];
    parts[team] = sum;
  }
}

void combine(int teams, std::int64_t n, const double* a, double factor, const double* b, double* to) {
#pragma omp target SEXTANT_ONE_WARP map(a [0:n], b [0:n], to [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) to[i] = a[i] + factor * b[i];
}

void set_to(int teams, std::int64_t n, double value, double* to) {
#pragma omp target SEXTANT_ONE_WARP map(to [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) to[i] = value;
}

struct TeamsSimd {
  target::Warps shape;
  double* parts;  // of teams, mapped

  void multiply(const Matrix& matrix, const double* p, double* q) const {
    multiply_rows(target::teams_for(shape.teams, matrix.n, 1), matrix.n, matrix.entries(), matrix.row.get(),
                  matrix.column.get(), matrix.value.get(), p, q);
  }
  double dot(std::int64_t n, const double* a, const double* b) const {
    double* sums = parts;
    const int teams = target::teams_for(shape, n);
    dot_parts(teams, n, a, b, sums);
#pragma omp target update from(sums [0:teams])
    double sum = 0;
    for (int team = 0; team < teams; ++team) sum += sums[team];
    return sum;
  }
  void add(std::int64_t n, const double* a, double factor, const double* b, double* to) const {
    combine(target::teams_for(shape, n), n, a, factor, b, to);
  }
  void set(std::int64_t n, double value, double* to) const {
    set_to(target::teams_for(shape, n), n, value, to);
  }
};

void launch(const Call& call) {
  const TeamsSimd steps = {call.tuned<target::Warps>(),
                           static_cast<const TargetState*>(call.state)->parts.get()};
  Program(call, steps).run();
}

}  // namespace

Variant npb_cg_target_teams_simd() {
  Variant variant = npb_cg::cg_variant(target::warps_variant(
      "teams of one thread, whose lanes share a row's entries; sums of teams to the host"));
  variant.launch = {.float64 = launch};
  return variant;
}

}  // namespace sextant
