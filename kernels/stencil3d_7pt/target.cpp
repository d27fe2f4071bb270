#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/teams.hpp"
#include "toolbox/target/warps.hpp"

namespace sextant {
namespace {

// A lane computes the points of several consecutive rows in a plane. It loads most of the neighbours in the y
// direction only once.
namespace bands {

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

Variant form() {
  Variant variant =
      target::mapped_variant("each lane computes points of several consecutive rows in a plane");
  variant.tunables = tunables<Band>({{"rows", &Band::rows, RowChoices::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace bands

// A lane computes a column that is one 16-byte pack wide and `planes` planes high. It keeps the planes below
// and above the current ones in registers, so that each is loaded once.
namespace packed {

// Number of warps per team, which compute one row each, and planes per column.
struct Columns {
#ifdef __clang__
  int warps = 4, planes = 8;
#else
  int warps = 8, planes = 16;
#endif
};

using WarpChoices = Choices<2, 4, 8, 16>;

constexpr int step = 2;  // number of planes that a lane computes at a time

template <int warps, int width, typename T, typename Index>
void sweep(Index n, const T* b, T* c, int planes) {
  const std::int64_t side = n, plane = side * n, count = plane * n;
  const Index blocks_x = (n + target::lanes * width - 1) / (target::lanes * width),
              blocks_y = (n + warps - 1) / warps, bands = (n + planes - 1) / planes;
  const std::int64_t all = std::int64_t{bands} * blocks_y * blocks_x * (target::lanes * warps);
  const int teams = target::teams_for(target::usual_teams, all, target::taken_together<warps>);
#pragma omp target SEXTANT_ONE_WARP map(b [0:count], c [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams) SEXTANT_THREADS(warps)
  for (std::int64_t item = 0; item < all; ++item) {
    const Index lane = static_cast<Index>(item % target::lanes),
                warp = static_cast<Index>(item / target::lanes % warps),
                block = static_cast<Index>(item / (target::lanes * warps));
    const Index x = (block % blocks_x * target::lanes + lane) * width,
                y = block / blocks_x % blocks_y * warps + warp, first = block / blocks_x / blocks_y * planes;
    if (x >= n || y >= n) continue;
    const Index last = first + planes < n ? first + planes : n;
    const std::int64_t up = y > 0 ? -side : 0, down = y < n - 1 ? side : 0, left = x > 0 ? -1 : 0,
                       right = x + width < n ? width : 0;
    const bool edge_y = y == 0 || y == n - 1;
    const T* at = b + first * plane + y * side + x;
    T* to = c + (at - b);
    T column[(step + 2) * width];  // planes z-1 to z+step
    openacc::load<width>(first > 0 ? at - plane : at, column);
    openacc::load<width>(at, column + width);
    for (Index z = first; z < last; z += step, at += step * plane, to += step * plane) {
      T north[step * width], south[step * width], west[step], east[step];
#pragma GCC unroll 4
      // Issues all loads of a step before its first addition.
      for (int k = 0; k < step; ++k) {
        const T* own = z + k < n ? at + k * plane : at;
        openacc::load<width>(z + k + 1 < n ? own + plane : own, column + (k + 2) * width);
        openacc::load<width>(own + up, north + k * width);
        openacc::load<width>(own + down, south + k * width);
        west[k] = own[left];
        east[k] = own[right];
      }
#pragma GCC unroll 4
      for (int k = 0; k < step; ++k) {
        const bool edge = edge_y || z + k == 0 || z + k == n - 1;
        T out[width];
#pragma GCC unroll 4
        for (int j = 0; j < width; ++j) {
          const int at_j = (k + 1) * width + j;
          const T here = column[at_j], before = j > 0 ? column[at_j - 1] : west[k],
                  after = j < width - 1 ? column[at_j + 1] : east[k];
          const bool border = edge || (j == 0 && x == 0) || (j == width - 1 && x + width == n);
          const T sum = ((before + after) + (north[k * width + j] + south[k * width + j])) +
                        ((column[at_j - width] + column[at_j + width]) + here);
          out[j] = border ? here : static_cast<T>(1.0 / 7.0) * sum;
        }
        if (z + k < last) openacc::store<width>(to + k * plane, out);
      }
#pragma GCC unroll 8
      for (int j = 0; j < 2 * width; ++j) column[j] = column[step * width + j];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto columns = call.tuned<Columns>();
  with_index(call.problem, [&]<typename Index>() {
    WarpChoices::with(columns.warps, [&]<int warps>() {
      const auto n = static_cast<Index>(call.problem.extents.x);
      constexpr int width = openacc::pack_width<T>;
      if (n % width == 0)
        sweep<warps, width>(n, call.array<const T>(0), call.array<T>(1), columns.planes);
      else  // Rows may start unaligned, so elements are accessed one by one.
        sweep<warps, 1>(n, call.array<const T>(0), call.array<T>(1), columns.planes);
    });
  });
}

Variant form() {
  Variant variant =
      target::mapped_variant("a lane marches a 16-byte column through several planes, kept in registers");
  variant.tunables = tunables<Columns>(
      {{"warps", &Columns::warps, WarpChoices::list()}, {"planes", &Columns::planes, {4, 8, 16, 32, 64}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace packed

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T, typename Index>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t side = n, count = side * n * n;
#pragma omp target teams distribute parallel for collapse(3) map(to : b [0:count]) map(from : c [0:count])
  for (Index z = 0; z < n; ++z)
    for (Index y = 0; y < n; ++y)
      for (Index x = 0; x < n; ++x) {
        const std::int64_t i = (z * side + y) * side + x;
        const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
        c[i] = border ? b[i] : stencil3d_7pt::point(b, side, i);
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
      "the plain form: target teams distribute parallel for over the three loops, collapsed");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations.
namespace teams_simd {

template <typename T, typename Index>
void sweep(Index n, const T* b, T* c, const target::Warps& shape) {
  const int teams = target::teams_for(shape.teams, std::int64_t{n} * n, 1);
  const std::int64_t side = n, count = side * n * n;
  const Index stretch = (n + 3) / 4;
#pragma omp target SEXTANT_ONE_WARP map(b [0:count], c [0:count])
#pragma omp teams distribute collapse(2) num_teams(teams)
  for (Index z = 0; z < n; ++z)
    for (Index y = 0; y < n; ++y)
#pragma omp SEXTANT_LANES
      for (Index first = 0; first < stretch; ++first) {  // Keeps the loads of four points in flight.
        T values[4];
#pragma GCC unroll 4
        for (Index p = 0; p < 4; ++p) {
          const Index at = first + p * stretch, x = at < n ? at : n - 1;
          const std::int64_t i = (z * side + y) * side + x;
          const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
          values[p] = border ? b[i] : stencil3d_7pt::point(b, side, i);
        }
#pragma GCC unroll 4
        for (Index p = 0; p < 4; ++p)
          if (first + p * stretch < n) c[(z * side + y) * side + first + p * stretch] = values[p];
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

std::vector<Variant> stencil3d_7pt_target() {
  return {
      named("bands", bands::form()),
      named("packed", packed::form()),
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
