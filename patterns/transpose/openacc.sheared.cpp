// Transpose through sheared tiles in gang-private memory, for rows that start anywhere in a 32-byte sector. A
// tile's part of each row of y starts at a sector boundary, so that whole sectors are written.
//
// Row j of y starts lead(j) elements after a sector boundary, so its part of the tile is shifted by lead(j)
// rows of a. The tile holds all rows of a that any of its columns needs. A column of padding avoids bank
// conflicts. Asynchronous copies to gang-private memory need no registers, so many gangs are resident. The
// pragma turns off optimizations of GCC 12 that hoist values out of loops, because these values would occupy
// registers in all lanes (docs/reference/openacc.md).
#pragma GCC optimize("no-tree-loop-im", "no-tree-pre", "no-move-loop-invariants", "no-gcse", "no-ivopts")
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/gang_memory.hpp"

namespace sextant {
namespace {

using Sides = Choices<32, 64>;

struct Tile {
  int tile_rows = 64;  // number of elements of each row of y in a tile; a tile has 64 rows of y
};

// Shape of a tile that holds `high` elements of `wide` rows of y and is processed by `lanes` lanes.
template <int high_, typename T>
struct Sheared {
  static constexpr int high = high_, wide = 64, lanes = 256;
  static constexpr int sector = 32 / static_cast<int>(sizeof(T)), overlap = sector - 1;
  // held: number of rows of a in the tile. pitch: distance between them in elements.
  static constexpr int held = high + overlap, pitch = wide + 1;
};

// Returns the number of elements between the start of a 32-byte sector and address `at` in it.
template <typename T>
SEXTANT_INLINE int elements_into_sector(const T* at) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(at) / sizeof(T) % (32 / sizeof(T)));
}

// Loads the tile that starts at row i0 and column j0 of a, and the rows above it that some columns need.
template <typename Shape, bool all, typename T>
SEXTANT_INLINE void bring_sheared(int lane, int rows, int columns, int i0, int j0, const T* a, T* tile) {
  constexpr int at_once = Shape::lanes / Shape::wide, steps = (Shape::held + at_once - 1) / at_once;
  const int x = lane % Shape::wide, first = lane / Shape::wide, top = i0 - Shape::overlap + first;
  const std::int64_t stride = std::int64_t{at_once} * columns;
  const T* from = a + std::int64_t{top} * columns + j0 + x;
  T* to = tile + first * Shape::pitch + x;
#pragma GCC unroll 2
  for (int step = 0; step < steps; ++step) {
    const bool has = ((step + 1) * at_once <= Shape::held || first + step * at_once < Shape::held) &&
                     (all || (top + step * at_once >= 0 && top + step * at_once < rows && j0 + x < columns));
    if (has) openacc::copy_ahead<1>(to, from);
    from += stride;
    to += at_once * Shape::pitch;
  }
  openacc::close_copies();
  openacc::await_copies<0>();
}

template <typename Shape, bool all, typename T>
SEXTANT_INLINE void take_sheared(int lane, int rows, int columns, int i0, int j0, const T* tile, T* y) {
  constexpr int at_once = Shape::lanes / Shape::high, steps = Shape::wide / at_once;
  constexpr unsigned in_sector = Shape::sector - 1;
  const int x = lane % Shape::high, first = lane / Shape::high, i = i0 + x;
  unsigned place = static_cast<unsigned>(elements_into_sector(y)) +
                   static_cast<unsigned>(j0 + first) * static_cast<unsigned>(rows);
  const unsigned further = static_cast<unsigned>(at_once) * static_cast<unsigned>(rows);
  const std::int64_t stride = std::int64_t{at_once} * rows;
  T* to = y + std::int64_t{j0 + first} * rows + i;
  const T* from = tile + (Shape::overlap + x) * Shape::pitch + first;
#pragma GCC unroll 4
  for (int step = 0; step < steps; ++step) {
    const int lead = static_cast<int>(place & in_sector);
    if (all || (j0 + first + step * at_once < columns && i >= lead && i - lead < rows))
      *(to - lead) = from[step * at_once - lead * Shape::pitch];
    to += stride;
    place += further;
  }
}

template <int high, typename T>
void turn_sheared(int rows, int columns, const T* a, T* y) {
  using Shape = Sheared<high, T>;
  const int down = (rows + Shape::overlap + high - 1) / high,
            across = (columns + Shape::wide - 1) / Shape::wide, tiles = down * across;
  const std::int64_t count = std::int64_t{rows} * columns;
#pragma acc parallel num_gangs(tiles) vector_length(Shape::lanes) present(a [0:count], y [0:count])
  {
#pragma acc loop gang(static : 1)
    for (int at = 0; at < tiles; ++at) {
      SEXTANT_GANG_ARRAY(T, tile_of_gang, Shape::held * Shape::pitch);
      const int i0 = at % down * high, j0 = at / down * Shape::wide;
      const bool inside = i0 >= Shape::overlap && i0 + high <= rows && j0 + Shape::wide <= columns;
#pragma acc loop vector
      for (int lane = 0; lane < Shape::lanes; ++lane) {
        SEXTANT_GANG_POINTER(T, tile, tile_of_gang);
        if (inside)
          bring_sheared<Shape, true>(lane, rows, columns, i0, j0, a, tile);
        else
          bring_sheared<Shape, false>(lane, rows, columns, i0, j0, a, tile);
      }
#pragma acc loop vector
      for (int lane = 0; lane < Shape::lanes; ++lane) {
        SEXTANT_GANG_POINTER(T, tile, tile_of_gang);
        if (inside)
          take_sheared<Shape, true>(lane, rows, columns, i0, j0, tile, y);
        else
          take_sheared<Shape, false>(lane, rows, columns, i0, j0, tile, y);
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto rows = static_cast<int>(call.problem.extents.y),
             columns = static_cast<int>(call.problem.extents.x);
  Sides::with(call.tuned<Tile>().tile_rows, [&]<int high>() {
    turn_sheared<high, T>(rows, columns, call.array<const T>(0), call.array<T>(1));
  });
}

const char* refuse(const Problem& problem, const Tile& tile) {
  constexpr std::int64_t most = 1 << 30;
  const std::int64_t down = (problem.extents.y + 7) / tile.tile_rows + 1, across = problem.extents.x / 64 + 1;
  return problem.extents.x > most || problem.extents.y > most || down * across > most
             ? "more than 2^30 rows, columns or tiles"
             : nullptr;
}

}  // namespace

std::vector<Variant> transpose_openacc_sheared() {
  return {
      {.name = "sheared",
       .description = "tiles in gang-private memory, sheared so that writes to y begin at sector boundaries",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Tile>({{"tile_rows", &Tile::tile_rows, Sides::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(launch),
       .constraint = by_name<refuse>,
       .for_large_arrays = true}};
}

}  // namespace sextant
