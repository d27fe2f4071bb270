#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/copy.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

namespace collapse {

struct Gang {
  int vector_length = 32;
};

template <typename T, typename Index, int vector_length_>
void copy(Index n, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop gang vector collapse(2) present(b [0:count], c [0:count]) \
    vector_length(vector_length_)
  for (Index x = 0; x < n; ++x)
    for (Index y = 0; y < n; ++y) c[y * side + x] = b[y * side + x];
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
      copy<T, Index, V>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<T>(1));
    });
  });
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Gang& gang) {
  const std::int64_t bytes = problem.n * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes > (std::int64_t{64} << 20)) gang.vector_length = 128;
}

}  // namespace collapse

namespace dealt {

struct Gang {
  int vector_length = 128;
};

// Neighbouring threads copy neighbouring rows, and the next gang copies the next column of these rows. A gang
// uses only a part of each 32-byte sector. The rest is still cached when the next gang needs it.
template <typename T, int vector_length_>
void copy(std::int64_t n, const T* b, T* c) {
  const int blocks = static_cast<int>((n + vector_length_ - 1) / vector_length_), side = static_cast<int>(n);
  const int gangs = openacc::gangs_for(n * blocks * vector_length_, vector_length_);
#pragma acc parallel loop gang(static : 1) vector collapse(3) present(b [0:n * n], c [0:n * n]) \
    vector_length(vector_length_) num_gangs(gangs)
  for (std::int64_t block = 0; block < blocks; ++block)
    for (int x = 0; x < side; ++x)
      for (int thread = 0; thread < vector_length_; ++thread) {
        const std::int64_t y = block * vector_length_ + thread;
        if (y < n) c[y * n + x] = b[y * n + x];
      }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    copy<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
  });
}

Variant form() {
  Variant variant;
  variant.description = "one row per thread; consecutive gangs copy consecutive columns of the same rows";
  variant.memory_space = MemorySpace::openacc;
  // The variant copies neighbouring columns one after another. The kernel's order is column by column, so the
  // variant is excluded from the ranking.
  variant.excluded_from_ranking = true;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace dealt

namespace packed {

using VectorLengths = Choices<32, 64, 128, 256>;
using Packs = Choices<1, 2, 4>;

struct Gang {
  int vector_length = 32, vectors_per_thread = 2;
};

// Neighbouring threads copy neighbouring rows. Each thread makes `packs` accesses of `width` elements along
// its row.
template <typename T, int vector_length_, int packs, int width>
void copy(std::int64_t n, const T* b, T* c) {
  constexpr int columns = packs * width;
  const int blocks_y = static_cast<int>((n + vector_length_ - 1) / vector_length_);
  const int blocks_x = static_cast<int>((n + columns - 1) / columns);
  const int gangs = openacc::gangs_for(std::int64_t{blocks_y} * blocks_x * vector_length_, vector_length_);
#pragma acc parallel loop gang(static : 1) vector collapse(3) present(b [0:n * n], c [0:n * n]) \
    vector_length(vector_length_) num_gangs(gangs)
  for (std::int64_t block_y = 0; block_y < blocks_y; ++block_y)
    for (int block_x = 0; block_x < blocks_x; ++block_x)
      for (int thread = 0; thread < vector_length_; ++thread) {
        const std::int64_t y = block_y * vector_length_ + thread;
        if (y >= n) continue;
        T values[packs][width];
        std::int64_t at[packs];
#pragma GCC unroll 16
        // A pack beyond the end of the row is replaced by the row's last pack, which is then copied again.
        for (int k = 0; k < packs; ++k) {
          const std::int64_t x = (std::int64_t{block_x} * packs + k) * width;
          at[k] = y * n + (x < n ? x : n - width);
          openacc::load<width>(b + at[k], values[k]);
        }
#pragma GCC unroll 16
        for (int k = 0; k < packs; ++k) openacc::store<width>(c + at[k], values[k]);
      }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto gang = call.tuned<Gang>();
  VectorLengths::with(gang.vector_length, [&]<int V>() {
    Packs::with(gang.vectors_per_thread, [&]<int P>() {
      constexpr int width = openacc::pack_width<T>;
      if (n % width == 0)
        copy<T, V, P, width>(n, call.array<const T>(0), call.array<T>(1));
      else  // Rows may start unaligned, so elements are accessed one by one.
        copy<T, V, P * width, 1>(n, call.array<const T>(0), call.array<T>(1));
    });
  });
}

Variant form() {
  Variant variant;
  variant.description = "one row per thread; each copies several 16-byte packs of neighbouring columns";
  variant.memory_space = MemorySpace::openacc;
  // The variant copies several neighbouring columns at once. The kernel's order is column by column, so the
  // variant is excluded from the ranking.
  variant.excluded_from_ranking = true;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()},
                                     {"vectors_per_thread", &Gang::vectors_per_thread, Packs::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace packed

namespace reordered {

Variant form() {
  Variant variant = openacc::packed_copy();
  variant.description = "for comparison: the same copy in memory order, one 16-byte pack per thread";
  variant.excluded_from_ranking = true;
  return variant;
}

}  // namespace reordered

namespace tile {

using TilesX = Choices<1, 8, 16>;
using TilesY = Choices<32, 64, 128>;

struct Tile {
  int tile_x = 1, tile_y = 32;
};

template <typename T, typename Index, int tile_x, int tile_y>
void copy(Index n, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop gang vector tile(tile_y, tile_x) present(b [0:count], c [0:count]) \
    vector_length(openacc::tile_threads(tile_x* tile_y))
  for (Index first_x = 0; first_x < n; ++first_x)
    for (Index first_y = 0; first_y < n; ++first_y) {
      Index x = first_x, y = first_y;
      openacc::carry(n, y, x);
      c[y * side + x] = b[y * side + x];
    }
}

template <typename T>
void launch(const Call& call) {
  const auto tile = call.tuned<Tile>();
  with_index(call.problem, [&]<typename Index>() {
    TilesX::with(tile.tile_x, [&]<int X>() {
      TilesY::with(tile.tile_y, [&]<int Y>() {
        copy<T, Index, X, Y>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                             call.array<T>(1));
      });
    });
  });
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Tile& tile) {
  const std::int64_t bytes = problem.n * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes > (std::int64_t{64} << 20)) tile.tile_y = 128;
}

}  // namespace tile

}  // namespace

std::vector<Variant> rows_openacc() {
  return {
      {.name = "collapse",
       .description = "the study's earlier form: both loops collapsed, rows innermost",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<collapse::Gang>(
           {{"vector_length", &collapse::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(collapse::launch),
       .adapt = by_name<collapse::adapt>},
      named("dealt", dealt::form()),
      named("packed", packed::form()),
      named("reordered", reordered::form()),
      {.name = "tile",
       .description = "the study's form: tile(Ty,Tx) with the rows innermost",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<tile::Tile>({{"tile_x", &tile::Tile::tile_x, tile::TilesX::list()},
                                         {"tile_y", &tile::Tile::tile_y, tile::TilesY::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(tile::launch),
       .adapt = by_name<tile::adapt>},
  };
}

}  // namespace sextant
