// Each lane turns a block in its registers: it reads packs of 16 bytes along a's rows, of as many rows as fill 32 bytes of
// y, and writes those: whole sectors, two packs each. Sides that are no multiple of a pack are read or written element by
// element.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using openacc::load;
using openacc::pack_width;
using openacc::store;
using Lengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 64;
};

// Columns and rows of a lane's block.
template <typename T>
constexpr int block_columns = pack_width<T>;
template <typename T>
constexpr int block_rows = 2 * pack_width<T>;

// from: elements that a read of a takes, to: a write of y; 1, or a pack where rows are whole packs.
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

}  // namespace

Variant transpose_openacc_register_block() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a block a lane, turned in registers: 16-byte reads, writes of whole sectors";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
