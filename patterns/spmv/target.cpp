#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

template <typename T>
void multiply(std::int64_t m, std::int64_t entries, const std::int32_t* row, const std::int32_t* col,
              const T* val, const T* x, T* y) {
#pragma omp target teams distribute parallel for map(to                                                 \
                                                     : row [0:m + 1], col [0:entries], val [0:entries], \
                                                       x [0:m]) map(from                                \
                                                                    : y [0:m])
  for (std::int64_t r = 0; r < m; ++r) {
    T sum = 0;
    for (std::int64_t e = row[r]; e < row[r + 1]; ++e) sum += val[e] * x[col[e]];
    y[r] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  multiply(spmv::rows_of(call.problem), spmv::entries_of(call.problem), a.row, a.col, a.val, a.x, a.y);
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: target teams distribute parallel for over rows");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// A team has one thread, which GCC maps to a warp. Each of the 32 lanes of that warp computes one row at a
// time.
namespace teams_simd {

template <typename T>
void multiply(std::int64_t m, std::int64_t entries, const std::int32_t* row, const std::int32_t* col,
              const T* val, const T* x, T* y, int most_teams) {
  const int teams = target::teams_for(most_teams, m, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(row [0:m + 1], col [0:entries], val [0:entries], x [0:m], y [0:m])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t r = 0; r < m; ++r) {
    T sum = 0;
    for (std::int64_t e = row[r]; e < row[r + 1]; ++e) sum += val[e] * x[col[e]];
    y[r] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  multiply(spmv::rows_of(call.problem), spmv::entries_of(call.problem), a.row, a.col, a.val, a.x, a.y,
           call.tuned<target::Warps>().teams);
}

Variant form() {
  Variant variant = target::warps_variant("teams distribute simd, one row per lane");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> spmv_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
