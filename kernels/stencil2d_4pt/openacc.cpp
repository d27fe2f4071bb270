#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/tile.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

namespace collapse {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

template <typename T, typename Index, int vector_length_>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t count = static_cast<std::int64_t>(n) * n;
#pragma acc parallel loop gang vector collapse(2) present(b [0:count], c [0:count]) \
    vector_length(vector_length_)
  for (Index y = 0; y < n; ++y)
    for (Index x = 0; x < n; ++x) {
      const std::int64_t i = static_cast<std::int64_t>(y) * n + x;
      const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
      c[i] = border ? b[i] : stencil2d_4pt::point(b, n, i);
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

namespace packed {

using VectorLengths = Choices<32, 64, 128, 256>;
using Rows = Choices<2, 4, 6, 8>;

struct Gang {
  int vector_length = 128, rows_per_thread = 6;
};

// A thread computes `rows` rows of `width` elements each. It loads everything before it stores anything, so
// that all loads are in flight together. Each row is loaded only once, although it serves as upper, middle
// and lower row.
template <typename T, int vector_length_, int rows, int width>
void sweep(std::int64_t n, const T* b, T* c) {
  const int bands = static_cast<int>((n + rows - 1) / rows);
  const int blocks = static_cast<int>((n + width * vector_length_ - 1) / (width * vector_length_));
  const int gangs = openacc::gangs_for(std::int64_t{bands} * blocks * vector_length_, vector_length_);
#pragma acc parallel loop gang(static : 1) vector collapse(3) present(b [0:n * n], c [0:n * n]) \
    vector_length(vector_length_) num_gangs(gangs)
  for (int band = 0; band < bands; ++band)
    for (int block = 0; block < blocks; ++block)
      for (int thread = 0; thread < vector_length_; ++thread) {
        const std::int64_t x = (std::int64_t{block} * vector_length_ + thread) * width,
                           top = std::int64_t{band} * rows;
        if (x >= n) continue;
        T column[rows + 2][width], left[rows], right[rows];
#pragma GCC unroll 16
        for (int k = 0; k < rows + 2; ++k) {
          std::int64_t y = top + k - 1;
          y = y < 0 ? 0 : y > n - 1 ? n - 1 : y;
          const T* at = b + y * n + x;
          openacc::load<width>(at, column[k]);
          if (k == 0 || k == rows + 1) continue;
          left[k - 1] = at[x > 0 ? -1 : 0];
          right[k - 1] = at[x + width < n ? width : 0];
        }
#pragma GCC unroll 16
        for (int k = 0; k < rows; ++k) {
          const std::int64_t y = top + k;
          if (y >= n) continue;
          T out[width];
#pragma GCC unroll 4
          for (int j = 0; j < width; ++j) {
            const T before = j > 0 ? column[k + 1][j - 1] : left[k];
            const T after = j < width - 1 ? column[k + 1][j + 1] : right[k];
            const bool border =
                y == 0 || y == n - 1 || (j == 0 && x == 0) || (j == width - 1 && x + width == n);
            out[j] = border ? column[k + 1][j]
                            : static_cast<T>(0.25) * ((before + after) + (column[k][j] + column[k + 2][j]));
          }
          openacc::store<width>(c + y * n + x, out);
        }
      }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto gang = call.tuned<Gang>();
  VectorLengths::with(gang.vector_length, [&]<int V>() {
    Rows::with(gang.rows_per_thread, [&]<int R>() {
      constexpr int width = openacc::pack_width<T>;
      if (n % width == 0)
        sweep<T, V, R, width>(n, call.array<const T>(0), call.array<T>(1));
      else  // Rows may start unaligned, so elements are accessed one by one.
        sweep<T, V, R, 1>(n, call.array<const T>(0), call.array<T>(1));
    });
  });
}

// Sets the defaults found by measurements on an H200.
void adapt(const Problem& problem, Gang& gang) {
  const bool single = problem.type == ElementType::float32;
  const bool aligned =
      problem.extents.x % (single ? openacc::pack_width<float> : openacc::pack_width<double>) == 0;
  const bool small = problem.n < (std::int64_t{4} << 20);
  gang.vector_length = aligned || small ? 128 : 32;
  gang.rows_per_thread = !aligned ? (small ? 6 : 8) : single ? 4 : 6;
  if (!single && problem.n < 524'288) gang.rows_per_thread = 2;
}

}  // namespace packed

namespace tile {

using Tiles = Choices<8, 16, 32>;

struct Tile {
  int tile = 8;
};

template <typename T, typename Index, int tile_>
void sweep(Index n, const T* b, T* c) {
  const std::int64_t count = static_cast<std::int64_t>(n) * n;
#pragma acc parallel loop gang vector tile(tile_, tile_) present(b [0:count], c [0:count]) \
    vector_length(tile_* tile_)
  for (Index tile_y = 0; tile_y < n; ++tile_y)
    for (Index tile_x = 0; tile_x < n; ++tile_x) {
      Index x = tile_x, y = tile_y;
      openacc::carry(n, x, y);
      const std::int64_t i = static_cast<std::int64_t>(y) * n + x;
      const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
      c[i] = border ? b[i] : stencil2d_4pt::point(b, n, i);
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    Tiles::with(call.tuned<Tile>().tile, [&]<int V>() {
      sweep<T, Index, V>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                         call.array<T>(1));
    });
  });
}

}  // namespace tile

}  // namespace

std::vector<Variant> stencil2d_4pt_openacc() {
  return {
      {.name = "collapse",
       .description = "gang vector over both loops, collapsed",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<collapse::Gang>(
           {{"vector_length", &collapse::Gang::vector_length, collapse::VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(collapse::launch),
       .adapt = by_name<openacc::adapt_vector_length<collapse::Gang, 256>>},
      {.name = "packed",
       .description = "each thread computes a 16-byte column of several rows; each row is loaded once",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<packed::Gang>(
           {{"vector_length", &packed::Gang::vector_length, packed::VectorLengths::list()},
            {"rows_per_thread", &packed::Gang::rows_per_thread, packed::Rows::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(packed::launch),
       .adapt = by_name<packed::adapt>},
      {.name = "tile",
       .description = "the study's form: tile(T,T), T*T threads",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<tile::Tile>({{"tile", &tile::Tile::tile, tile::Tiles::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(tile::launch)},
  };
}

}  // namespace sextant
