#include "cell.hpp"
#include "loop.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// One thread per team (no `parallel`). Each of its SIMD lanes computes several neighbouring elements of a row
// of C (cell.hpp).
namespace cells {

template <int columns, int width, typename T>
void multiply(std::int64_t batches, int m, const T* a, const T* b, T* c, int most_teams) {
  const std::int64_t count = batches * m * m;
  const int across = (m + columns - 1) / columns, cells = m * across,
            teams = target::teams_for(most_teams, batches * cells, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(a [0:count], b [0:count], c [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t cell = 0; cell < batches * cells; ++cell) {
    const std::int64_t batch = cell / cells, first = batch * m * m;
    const int place = static_cast<int>(cell - batch * cells), i = place / across,
              j = place % across * columns;
    gemm_batched::multiply_cell<columns, width>(m, j, a + first + i * m, b + first, c + first + i * m);
  }
}

template <typename T>
void launch(const Call& call) {
  gemm_batched::with_columns<T>(
      gemm_batched::columns_for(call.problem), call.problem, [&]<int columns, int width>() {
        multiply<columns, width>(gemm_batched::batches_of(call.problem),
                                 static_cast<int>(gemm_batched::size_of(call.problem)),
                                 call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
                                 call.tuned<target::Warps>().teams);
      });
}

Variant form() {
  Variant variant =
      target::warps_variant("teams of one thread; up to 16 elements of a row of C in each lane's registers");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace cells

// The straightforward implementation.
namespace parallel_for {

template <typename Index, typename T>
void multiply(Index batches, Index m, const T* a, const T* b, T* c) {
  const std::int64_t count = std::int64_t{batches} * m * m;
#pragma omp target teams distribute parallel for collapse(3) map(to                          \
                                                                 : a [0:count], b [0:count]) \
    map(from                                                                                 \
        : c [0:count])
  for (Index batch = 0; batch < batches; ++batch)
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j) {
        const std::int64_t first = std::int64_t{batch} * m * m;
        T sum = 0;
        for (Index k = 0; k < m; ++k) sum += a[first + i * m + k] * b[first + k * m + j];
        c[first + i * m + j] = sum;
      }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    multiply(static_cast<Index>(gemm_batched::batches_of(call.problem)),
             static_cast<Index>(gemm_batched::size_of(call.problem)), call.array<const T>(0),
             call.array<const T>(1), call.array<T>(2));
  });
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for collapse(3), one element per thread");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

}  // namespace

std::vector<Variant> gemm_batched_target() {
  return {
      named("cells", cells::form()),
      named("parallel_for", parallel_for::form()),
  };
}

}  // namespace sextant
