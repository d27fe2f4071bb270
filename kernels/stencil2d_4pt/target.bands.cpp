// A lane has a column's points in a band of rows: of the points above and below one it loads most once.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

struct Band {
  int rows = 8;
};

using RowChoices = Choices<2, 4, 8>;

template <int rows, typename T, typename Index>
void sweep(Index n, const T* b, T* c) {
  const Index bands = (n + rows - 1) / rows, columns = bands * n;
  const std::int64_t side = n, count = side * n;
  const int teams = target::teams_for(target::usual_teams, columns, target::at_a_time);
#pragma omp target SEXTANT_ONE_WARP map(b [0:count], c [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (Index column = 0; column < columns; ++column) {
    const Index first = column / n * rows, x = column % n, beside = x == 0 || x == n - 1 ? 0 : 1;
    T middle[rows + 2], sides[rows];
#pragma GCC unroll 16
    for (Index p = 0; p < rows + 2; ++p) {
      const Index y = first + p < 1 ? 0 : first + p > n ? n - 1 : first + p - 1;
      middle[p] = b[y * side + x];
    }
#pragma GCC unroll 16
    for (Index p = 0; p < rows; ++p) {
      const Index y = first + p < n ? first + p : n - 1;
      sides[p] = b[y * side + x - beside] + b[y * side + x + beside];
    }
#pragma GCC unroll 16
    for (Index p = 0; p < rows; ++p) {
      const Index y = first + p;
      const bool border = beside == 0 || y == 0 || y == n - 1;
      if (y < n)
        c[y * side + x] =
            border ? middle[p + 1] : static_cast<T>(0.25) * (sides[p] + (middle[p] + middle[p + 2]));
    }
  }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    RowChoices::with(call.tuned<Band>().rows, [&]<int rows>() {
      sweep<rows>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1));
    });
  });
}

}  // namespace

Variant stencil2d_4pt_target_bands() {
  Variant variant = target::mapped_variant("a column's points in some rows to a lane");
  variant.tunables = tunables<Band>({{"rows", &Band::rows, RowChoices::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
