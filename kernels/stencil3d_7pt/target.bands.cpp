// A lane has the points of some rows above each other in a plane: of those before and behind one it loads most once.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

struct Band {
  int rows = 4;
};

using RowChoices = Choices<2, 4, 8>;

template <int rows, typename T, typename Index>
void sweep(Index n, const T* b, T* c) {
  const Index bands = (n + rows - 1) / rows, columns = bands * n;
  const std::int64_t side = n, plane = side * n, count = plane * n;
  const Index all = columns * n;
  const int teams = target::teams_for(target::usual_teams, all, target::at_a_time);
#pragma omp target SEXTANT_ONE_WARP map(b [0:count], c [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (Index column = 0; column < all; ++column) {
    const Index z = column / columns, rest = column % columns, first = rest / n * rows, x = rest % n;
    const bool edge = x == 0 || z == 0 || x == n - 1 || z == n - 1;
    const std::int64_t at = z * plane + x, beside = edge ? 0 : 1, planes = edge ? 0 : plane;
    T middle[rows + 2], sides[rows], others[rows];
#pragma GCC unroll 16
    for (Index p = 0; p < rows + 2; ++p) {
      const Index y = first + p < 1 ? 0 : first + p > n ? n - 1 : first + p - 1;
      middle[p] = b[at + y * side];
    }
#pragma GCC unroll 16
    for (Index p = 0; p < rows; ++p) {
      const Index y = first + p < n ? first + p : n - 1;
      const std::int64_t i = at + y * side;
      sides[p] = b[i - beside] + b[i + beside];
      others[p] = b[i - planes] + b[i + planes];
    }
#pragma GCC unroll 16
    for (Index p = 0; p < rows; ++p) {
      const Index y = first + p;
      const bool border = edge || y == 0 || y == n - 1;
      const T mean = static_cast<T>(1.0 / 7.0) *
                     ((sides[p] + (middle[p] + middle[p + 2])) + (others[p] + middle[p + 1]));
      if (y < n) c[at + y * side] = border ? middle[p + 1] : mean;
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

Variant stencil3d_7pt_target_bands() {
  Variant variant = target::mapped_variant("the points of some rows above each other to a lane");
  variant.tunables = tunables<Band>({{"rows", &Band::rows, RowChoices::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
