#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// A lane computes several consecutive points of a column. It loads most of the points above and below only
// once.
namespace bands {

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

Variant form() {
  Variant variant = target::mapped_variant("each lane computes several consecutive points of a column");
  variant.tunables = tunables<Band>({{"rows", &Band::rows, RowChoices::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace bands

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T, typename Index>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma omp target teams distribute parallel for collapse(2) map(to : b [0:count]) map(from : c [0:count])
  for (Index y = 0; y < n; ++y)
    for (Index x = 0; x < n; ++x) {
      const std::int64_t i = y * side + x;
      const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
      c[i] = border ? b[i] : stencil2d_4pt::point(b, side, i);
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    sweep(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1));
  });
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for over both loops, collapsed");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations.
namespace teams_simd {

template <typename T, typename Index>
void sweep(Index n, const T* b, T* c, const target::Warps& shape) {
  const int teams = target::teams_for(shape.teams, n, 1);
  const std::int64_t side = n, count = side * n;
  const Index stretch = (n + 3) / 4;
#pragma omp target SEXTANT_ONE_WARP map(b [0:count], c [0:count])
#pragma omp teams distribute num_teams(teams)
  for (Index y = 0; y < n; ++y)
#pragma omp SEXTANT_LANES
    for (Index first = 0; first < stretch; ++first) {  // Keeps the loads of four points in flight.
      T values[4];
#pragma GCC unroll 4
      for (Index p = 0; p < 4; ++p) {
        const Index at = first + p * stretch, x = at < n ? at : n - 1;
        const std::int64_t i = y * side + x;
        const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
        values[p] = border ? b[i] : stencil2d_4pt::point(b, side, i);
      }
#pragma GCC unroll 4
      for (Index p = 0; p < 4; ++p)
        if (first + p * stretch < n) c[y * side + first + p * stretch] = values[p];
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    sweep(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1),
          call.tuned<target::Warps>());
  });
}

Variant form() {
  Variant variant = target::warps_variant(
      "teams distribute over rows, simd over points: one-thread teams, no parallel region");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> stencil2d_4pt_target() {
  return {
      named("bands", bands::form()),
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
