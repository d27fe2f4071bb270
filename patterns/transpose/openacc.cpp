#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant {
namespace {

namespace collapse {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC accepts only a constant there.
template <typename T, typename Index, int length>
void turn(Index rows, Index columns, const T* a, T* y) {
  const std::int64_t count = std::int64_t{rows} * columns;
#pragma acc parallel loop gang vector collapse(2) present(a [0:count], y [0:count]) vector_length(length)
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) y[std::int64_t{j} * rows + i] = a[std::int64_t{i} * columns + j];
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  with_index(call.problem, [&]<typename Index>() {
    BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      turn<T, Index, length>(static_cast<Index>(extents.y), static_cast<Index>(extents.x),
                             call.array<const T>(0), call.array<T>(1));
    });
  });
}

}  // namespace collapse

// Each lane transposes a block in registers. It reads 16-byte packs from as many rows of a as fill 32 bytes
// of y, and writes whole 32-byte sectors. If rows of a or y are not whole packs, they are read or written
// element by element.
namespace register_block {

using openacc::load;
using openacc::pack_width;
using openacc::store;
using Lengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 64;
};

// Number of columns and rows of a lane's block.
template <typename T>
constexpr int block_columns = pack_width<T>;
template <typename T>
constexpr int block_rows = 2 * pack_width<T>;

// Transposes the block that starts at row i and column j of a. `from` is the number of elements per read of
// a, and `to` that per write of y: a whole pack if rows are whole packs, otherwise 1.
template <int from, int to, typename T>
SEXTANT_INLINE void turn_block(std::int64_t rows, std::int64_t columns, std::int64_t i, std::int64_t j,
                               const T* a, T* y) {
  constexpr int height = block_rows<T>, width = block_columns<T>;
  T block[height][width] = {};
#pragma GCC unroll 8
  for (int r = 0; r < height; ++r)
#pragma GCC unroll 4
    for (int k = 0; k < width; k += from)
      if (i + r < rows && j + k < columns) load<from>(a + (i + r) * columns + j + k, &block[r][k]);
#pragma GCC unroll 4
  for (int k = 0; k < width; ++k)
#pragma GCC unroll 8
    for (int r = 0; r < height; r += to)
      if (j + k < columns && i + r < rows) {
        T turned[to];
        for (int e = 0; e < to; ++e) turned[e] = block[r + e][k];
        store<to>(y + (j + k) * rows + i + r, turned);
      }
}

template <typename T, typename Index, int length, int from, int to>
void turn(Index rows, Index columns, const T* a, T* y) {
  const Index block_i = (rows + block_rows<T> - 1) / block_rows<T>,
              block_j = (columns + block_columns<T> - 1) / block_columns<T>;
  const std::int64_t count = std::int64_t{rows} * columns;
#pragma acc parallel loop gang vector collapse(2) present(a [0:count], y [0:count]) vector_length(length)
  for (Index bi = 0; bi < block_i; ++bi)
    for (Index bj = 0; bj < block_j; ++bj)
      turn_block<from, to>(rows, columns, std::int64_t{bi} * block_rows<T>,
                           std::int64_t{bj} * block_columns<T>, a, y);
}

template <typename T, typename Index, int length>
void turn_by_packs(const Extents& extents, const T* a, T* y) {
  constexpr int width = pack_width<T>;
  const auto rows = static_cast<Index>(extents.y), columns = static_cast<Index>(extents.x);
  const bool whole_reads = columns % width == 0, whole_writes = rows % width == 0;
  if (whole_reads && whole_writes)
    turn<T, Index, length, width, width>(rows, columns, a, y);
  else if (whole_reads)
    turn<T, Index, length, width, 1>(rows, columns, a, y);
  else if (whole_writes)
    turn<T, Index, length, 1, width>(rows, columns, a, y);
  else
    turn<T, Index, length, 1, 1>(rows, columns, a, y);
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      turn_by_packs<T, Index, length>(call.problem.extents, call.array<const T>(0), call.array<T>(1));
    });
  });
}

}  // namespace register_block

namespace tile {

using Sides = Choices<8, 16, 32>;

struct Tile {
  int tile_i = 8, tile_j = 32;
};

template <typename T, typename Index, int tile_i, int tile_j>
void turn(Index rows, Index columns, const T* a, T* y) {
  const std::int64_t count = std::int64_t{rows} * columns;
#pragma acc parallel loop gang vector tile(tile_j, tile_i) present(a [0:count], y [0:count]) \
    vector_length(openacc::tile_threads(tile_i* tile_j))
  for (Index first_i = 0; first_i < rows; ++first_i)
    for (Index first_j = 0; first_j < columns; ++first_j) {
      Index i = first_i, j = first_j;
      openacc::carry(columns, j, i);
      y[std::int64_t{j} * rows + i] = a[std::int64_t{i} * columns + j];
    }
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto tile = call.tuned<Tile>();
  with_index(call.problem, [&]<typename Index>() {
    Sides::with(tile.tile_i, [&]<int tile_i>() {
      Sides::with(tile.tile_j, [&]<int tile_j>() {
        turn<T, Index, tile_i, tile_j>(static_cast<Index>(extents.y), static_cast<Index>(extents.x),
                                       call.array<const T>(0), call.array<T>(1));
      });
    });
  });
}

}  // namespace tile

// Each lane transposes a square block in registers, as wide as a 16-byte access. The 8 x 4 blocks of a warp
// read whole sectors of a and write whole cache lines of y. Gangs proceed down bands of a, so that they write
// neighbouring parts of y at about the same time. If rows of a or y are not whole packs, they are read or
// written element by element.
namespace warp_blocks {

using openacc::load;
using openacc::pack_width;
using openacc::store;
using Lengths = Choices<64, 128, 256>;
using Bands = Choices<1, 4, 16, 64>;

struct Gang {
  int vector_length = 128,
      band_tiles = 16;  // height of a band, in tiles
};

// Arrangement of a warp's lanes, and the distances between a lane's rows and columns. `from` is the number of
// elements per read of a, and `to` that per write of y: a whole pack if rows are whole packs, otherwise 1. If
// both are 1, lanes are interleaved, so that neighbouring lanes access neighbouring elements.
template <int from, int to>
struct Shape {
  static constexpr bool single = from == 1 && to == 1;
  static constexpr int down = single ? 16 : 8, across = 32 / down;
  static constexpr int row_step = single ? down : 1, column_step = single ? across : 1;
};

// Transposes the block of a lane, which starts at row i and column j of a.
template <int from, int to, bool whole, typename T>
SEXTANT_INLINE void turn_block(int rows, int columns, int i, int j, const T* a, T* y) {
  constexpr int side = pack_width<T>, row_step = Shape<from, to>::row_step,
                column_step = Shape<from, to>::column_step;
  T block[side][side] = {};
#pragma GCC unroll 4
  for (int r = 0; r < side; ++r)
#pragma GCC unroll 4
    for (int k = 0; k < side; k += from) {
      const int row = i + r * row_step, column = j + k * column_step;
      if (whole || (row < rows && column < columns))
        load<from>(a + std::int64_t{row} * columns + column, &block[r][k]);
    }
#pragma GCC unroll 4
  for (int k = 0; k < side; ++k)
#pragma GCC unroll 4
    for (int r = 0; r < side; r += to) {
      const int row = i + r * row_step, column = j + k * column_step;
      if (whole || (row < rows && column < columns)) {
        T turned[to];
        for (int e = 0; e < to; ++e) turned[e] = block[r + e][k];
        store<to>(y + std::int64_t{column} * rows + row, turned);
      }
    }
}

template <typename T, int length, int from, int to>
void turn(int rows, int columns, int band, const T* a, T* y) {
  using Lanes = Shape<from, to>;
  constexpr int side = pack_width<T>, warp_rows = Lanes::down * side, warp_columns = Lanes::across * side;
  constexpr int tile_rows = length / 64 * warp_rows,
                tile_columns = 2 * warp_columns;  // the tiles of two warps side by side
  const int down = (rows + tile_rows - 1) / tile_rows, across = (columns + tile_columns - 1) / tile_columns;
  const std::int64_t count = std::int64_t{rows} * columns, all = std::int64_t{down} * across * length;
  const int gangs = openacc::gangs_for(all, length);
#pragma acc parallel loop gang(static : 1) vector present(a [0:count], y [0:count]) vector_length(length) \
    num_gangs(gangs)
  for (std::int64_t at = 0; at < all; ++at) {
    const std::int64_t tile = at / length, bands = tile / (std::int64_t{band} * across);
    const int thread = static_cast<int>(at % length), lane = thread % 32, warp = thread / 32;
    const int in_band = static_cast<int>(tile - bands * band * across),
              first = static_cast<int>(bands) * band, height = down - first < band ? down - first : band;
    const int tile_j = in_band / height, tile_i = first + in_band - tile_j * height;
    const int i = tile_i * tile_rows + warp / 2 * warp_rows + lane % Lanes::down * (Lanes::single ? 1 : side),
              j = tile_j * tile_columns + warp % 2 * warp_columns +
                  lane / Lanes::down * (Lanes::single ? 1 : side);
    if (i + (side - 1) * Lanes::row_step < rows && j + (side - 1) * Lanes::column_step < columns)
      turn_block<from, to, true>(rows, columns, i, j, a, y);
    else
      turn_block<from, to, false>(rows, columns, i, j, a, y);
  }
}

template <typename T, int length>
void turn_by_packs(const Extents& extents, int band, const T* a, T* y) {
  constexpr int width = pack_width<T>;
  const auto rows = static_cast<int>(extents.y), columns = static_cast<int>(extents.x);
  const bool whole_reads = columns % width == 0, whole_writes = rows % width == 0;
  if (whole_reads && whole_writes)
    turn<T, length, width, width>(rows, columns, band, a, y);
  else if (whole_reads)
    turn<T, length, width, 1>(rows, columns, band, a, y);
  else if (whole_writes)
    turn<T, length, 1, width>(rows, columns, band, a, y);
  else
    turn<T, length, 1, 1>(rows, columns, band, a, y);
}

template <typename T>
void launch(const Call& call) {
  const auto gang = call.tuned<Gang>();
  Lengths::with(gang.vector_length, [&]<int length>() {
    turn_by_packs<T, length>(call.problem.extents, gang.band_tiles, call.array<const T>(0), call.array<T>(1));
  });
}

const char* refuse(const Problem& problem, const Gang&) {
  constexpr std::int64_t most = 1 << 30;
  return problem.extents.x > most || problem.extents.y > most ? "more than 2^30 rows or columns" : nullptr;
}

}  // namespace warp_blocks

}  // namespace

std::vector<Variant> transpose_openacc() {
  return {
      {.name = "collapse",
       .description = "the plain form: collapse(2); reads a in order, writes y with a stride",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<collapse::Gang>({{"vector_length", &collapse::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(collapse::launch)},
      {.name = "register_block",
       .description = "one block per lane, transposed in registers; 16-byte reads, writes of whole 32-byte "
                      "sectors",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<register_block::Gang>(
           {{"vector_length", &register_block::Gang::vector_length, register_block::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(register_block::launch)},
      {.name = "tile",
       .description = "OpenACC's tile clause",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<tile::Tile>({{"tile_i", &tile::Tile::tile_i, tile::Sides::list()},
                                         {"tile_j", &tile::Tile::tile_j, tile::Sides::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(tile::launch)},
      {.name = "warp_blocks",
       .description =
           "one square block per lane, transposed in registers; each warp accesses whole sectors of "
           "both matrices",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<warp_blocks::Gang>(
           {{"vector_length", &warp_blocks::Gang::vector_length, warp_blocks::Lengths::list()},
            {"band_tiles", &warp_blocks::Gang::band_tiles, warp_blocks::Bands::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(warp_blocks::launch),
       .constraint = by_name<warp_blocks::refuse>},
  };
}

}  // namespace sextant
