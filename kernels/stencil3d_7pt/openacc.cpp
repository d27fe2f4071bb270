#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/half.hpp"
#include "toolbox/openacc/tile.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

namespace collapse {

struct Gang {
  int vector_length = 32;
};

template <typename T, typename Index, int vector_length_>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t count = static_cast<std::int64_t>(n) * n * n;
#pragma acc parallel loop gang vector collapse(3) present(b [0:count], c [0:count]) \
    vector_length(vector_length_)
  for (Index z = 0; z < n; ++z)
    for (Index y = 0; y < n; ++y)
      for (Index x = 0; x < n; ++x) {
        const std::int64_t i = (static_cast<std::int64_t>(z) * n + y) * n + x;
        const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
        c[i] = border ? b[i] : stencil3d_7pt::point(b, n, i);
      }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
      sweep<T, Index, V>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                         call.array<T>(1));
    });
  });
}

}  // namespace collapse

namespace loop_nest {

struct Gang {
  int vector_length = 32;
};

// The compiler assigns parallelism to the three loops. GCC chooses gangs for the outer, workers for the
// middle and vectors for the inner loop.
template <typename T, int vector_length_>
void sweep(int n, const T* b, T* c) {
  const std::int64_t count = static_cast<std::int64_t>(n) * n * n;
#pragma acc parallel loop present(b [0:count], c [0:count]) vector_length(vector_length_)
  for (int z = 0; z < n; ++z)
#pragma acc loop
    for (int y = 0; y < n; ++y)
#pragma acc loop
      for (int x = 0; x < n; ++x) {
        const std::int64_t i = (static_cast<std::int64_t>(z) * n + y) * n + x;
        const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
        c[i] = border ? b[i] : stencil3d_7pt::point(b, n, i);
      }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    sweep<T, V>(static_cast<int>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1));
  });
}

// Sets the default tuning. It was the fastest in most comparisons on an H200.
void adapt(const Problem& problem, Gang& gang) {
  if (problem.type == ElementType::float64 && problem.n < 524'288) gang.vector_length = 128;
}

}  // namespace loop_nest

namespace packed {

constexpr int lanes = 32;  // number of threads along x

struct Columns {
  int threads_y = 4, planes_per_thread = 8;
};

// A thread computes a column that is `width` elements wide and `planes` planes high, `step` planes at a time.
// It keeps these planes, the one below and the one above in registers, so that each is loaded once. All loads
// of a step precede its stores.
template <typename T, int threads_y, int width>
void sweep(std::int64_t n, const T* b, T* c, int planes) {
  constexpr int step = 2;
  const std::int64_t plane = n * n, count = plane * n;
  const int bands = static_cast<int>((n + planes - 1) / planes);
  const int blocks_y = static_cast<int>((n + threads_y - 1) / threads_y);
  const int blocks_x = static_cast<int>((n + lanes * width - 1) / (lanes * width));
  constexpr int threads = lanes * threads_y;
  const int gangs = openacc::gangs_for(std::int64_t{bands} * blocks_y * blocks_x * threads, threads);
#pragma acc parallel loop gang(static : 1) vector collapse(5) present(b [0:count], c [0:count]) \
    vector_length(threads) num_gangs(gangs)
  for (int band = 0; band < bands; ++band)
    for (int block_y = 0; block_y < blocks_y; ++block_y)
      for (int block_x = 0; block_x < blocks_x; ++block_x)
        for (int thread_y = 0; thread_y < threads_y; ++thread_y)
          for (int lane = 0; lane < lanes; ++lane) {
            const std::int64_t x = (std::int64_t{block_x} * lanes + lane) * width;
            const std::int64_t y = std::int64_t{block_y} * threads_y + thread_y,
                               first = std::int64_t{band} * planes;
            if (x >= n || y >= n) continue;
            const std::int64_t last = first + planes < n ? first + planes : n;
            const std::int64_t up = y > 0 ? -n : 0, down = y < n - 1 ? n : 0;
            const std::int64_t left = x > 0 ? -1 : 0, right = x + width < n ? width : 0;
            const bool edge_y = y == 0 || y == n - 1;
            const T* at = b + first * plane + y * n + x;
            T* to = c + (at - b);
            T column[step + 2][width];  // planes z-1 to z+step
            openacc::aligned::load<width>(first > 0 ? at - plane : at, column[0]);
            openacc::aligned::load<width>(at, column[1]);
            for (std::int64_t z = first; z < last; z += step) {
              T north[step][width], south[step][width], west[step], east[step];
#pragma GCC unroll 2
              for (int k = 0; k < step; ++k) {
                const T* const own = z + k < n ? at + k * plane : at;
                openacc::aligned::load<width>(z + k + 1 < n ? at + (k + 1) * plane : at, column[k + 2]);
                openacc::aligned::load<width>(own + up, north[k]);
                openacc::aligned::load<width>(own + down, south[k]);
                west[k] = own[left], east[k] = own[right];
              }
#pragma GCC unroll 2
              for (int k = 0; k < step; ++k) {
                if (z + k >= last) continue;
                const T *below = column[k], *here = column[k + 1], *above = column[k + 2];
                const bool edge = edge_y || z + k == 0 || z + k == n - 1;
                T out[width];
#pragma GCC unroll 4
                for (int j = 0; j < width; ++j) {
                  const T before = j > 0 ? here[j - 1] : west[k],
                          after = j < width - 1 ? here[j + 1] : east[k];
                  const bool border = edge || (j == 0 && x == 0) || (j == width - 1 && x + width == n);
                  const T sum =
                      ((before + after) + (north[k][j] + south[k][j])) + ((below[j] + above[j]) + here[j]);
                  out[j] = border ? here[j] : static_cast<T>(1.0 / 7.0) * sum;
                }
                openacc::aligned::store<width>(to + k * plane, out);
              }
#pragma GCC unroll 4
              for (int j = 0; j < width; ++j) {
                column[0][j] = column[step][j];
                column[1][j] = column[step + 1][j];
              }
              at += step * plane;
              to += step * plane;
            }
          }
}

using ThreadsY = Choices<2, 4, 8, 16>;

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto columns = call.tuned<Columns>();
  ThreadsY::with(columns.threads_y, [&]<int Y>() {
    openacc::aligned::with_width<T>(n, [&]<int width>() {
      sweep<T, Y, width>(n, call.array<const T>(0), call.array<T>(1), columns.planes_per_thread);
    });
  });
}

// Small grids get enough threads to fill the GPU. Larger grids get tall columns, because the planes where two
// columns meet are read twice. Measured on an H200.
void adapt(const Problem& problem, Columns& columns) {
  if (problem.n < 32'768) columns.threads_y = 8;
  const std::int64_t doubles = problem.type == ElementType::float64 ? 4 : 1;
  columns.planes_per_thread = problem.n < doubles * 524'288                   ? 4
                              : problem.n < doubles * (std::int64_t{4} << 20) ? 8
                                                                              : 16;
}

}  // namespace packed

namespace tile {

using TilesX = Choices<8, 16, 32>;
using TilesY = Choices<4, 8>;
using TilesZ = Choices<4, 8, 32>;

struct Tile {
  int tile_x = 8, tile_y = 4, tile_z = 4;
};

template <typename T, typename Index, int tile_x, int tile_y, int tile_z>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t count = static_cast<std::int64_t>(n) * n * n;
#pragma acc parallel loop gang vector tile(tile_x, tile_y, tile_z) present(b [0:count], c [0:count]) \
    vector_length(openacc::tile_threads(tile_x* tile_y* tile_z))
  for (Index first_z = 0; first_z < n; ++first_z)
    for (Index first_y = 0; first_y < n; ++first_y)
      for (Index first_x = 0; first_x < n; ++first_x) {
        Index x = first_x, y = first_y, z = first_z;
        openacc::carry(n, x, y, z);
        const std::int64_t i = (static_cast<std::int64_t>(z) * n + y) * n + x;
        const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
        c[i] = border ? b[i] : stencil3d_7pt::point(b, n, i);
      }
}

template <typename T>
void launch(const Call& call) {
  const auto tile = call.tuned<Tile>();
  with_index(call.problem, [&]<typename Index>() {
    TilesX::with(tile.tile_x, [&]<int X>() {
      TilesY::with(tile.tile_y, [&]<int Y>() {
        TilesZ::with(tile.tile_z, [&]<int Z>() {
          sweep<T, Index, X, Y, Z>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                                   call.array<T>(1));
        });
      });
    });
  });
}

}  // namespace tile

}  // namespace

std::vector<Variant> stencil3d_7pt_openacc() {
  return {
      {.name = "collapse",
       .description = "gang vector over the three loops, collapsed",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<collapse::Gang>(
           {{"vector_length", &collapse::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(collapse::launch),
       .adapt = by_name<openacc::adapt_vector_length<collapse::Gang, 256>>},
      {.name = "loop_nest",
       .description = "the study's earlier form: one loop directive per level",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<loop_nest::Gang>(
           {{"vector_length", &loop_nest::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(loop_nest::launch),
       .adapt = by_name<loop_nest::adapt>},
      {.name = "packed",
       .description =
           "each thread marches a column of up to 16 bytes through several planes, kept in registers",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<packed::Columns>(
           {{"threads_y", &packed::Columns::threads_y, packed::ThreadsY::list()},
            {"planes_per_thread", &packed::Columns::planes_per_thread, {4, 8, 16, 32}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(packed::launch),
       .adapt = by_name<packed::adapt>},
      {.name = "tile",
       .description = "the study's form: tile(Tx,Ty,Tz)",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<tile::Tile>({{"tile_x", &tile::Tile::tile_x, tile::TilesX::list()},
                                         {"tile_y", &tile::Tile::tile_y, tile::TilesY::list()},
                                         {"tile_z", &tile::Tile::tile_z, tile::TilesZ::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(tile::launch)},
  };
}

}  // namespace sextant
