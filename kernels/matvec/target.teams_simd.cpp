// No `parallel`: a team is one thread, whose lanes share the simd loop.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void multiply(std::int64_t n, const T* a, const T* x, T* y, const target::Warps& shape) {
  const int teams = target::teams_for(shape.teams, n, 1);
  const std::int64_t eighth = n / 8;
#pragma omp target SEXTANT_ONE_WARP map(a [0:n * n], x [0:n], y [0:n])
#pragma omp teams distribute num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    const T* row = a + i * n;
    T first = 0, second = 0;
#pragma omp SEXTANT_LANES reduction(+ : first, second)
    for (std::int64_t j = 0; j < eighth; ++j) {  // eight loads of a lane are on their way
      T products[8];
#pragma GCC unroll 8
      for (int p = 0; p < 8; ++p) products[p] = row[j + p * eighth] * x[j + p * eighth];
      first += (products[0] + products[1]) + (products[2] + products[3]);
      second += (products[4] + products[5]) + (products[6] + products[7]);
    }
#pragma omp SEXTANT_LANES reduction(+ : first)
    for (std::int64_t j = 8 * eighth; j < n; ++j) first += row[j] * x[j];
    y[i] = first + second;
  }
}

template <typename T>
void launch(const Call& call) {
  multiply(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
           call.tuned<target::Warps>());
}

}  // namespace

Variant matvec_target_teams_simd() {
  Variant variant =
      target::warps_variant("rows to teams of one thread, none to be started, a row's products to its lanes");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
