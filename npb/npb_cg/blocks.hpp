// Layout of a sparse matrix in tiles: `across` blocks of columns by `down` bands of rows, one tile per thread
// block. The vector elements of a tile's columns fit in shared memory, and a column number takes 15 bits. A
// tile is stored as sliced ELLPACK: rows are sorted by length and grouped into slices of 32 / lanes rows.
// Each row has `lanes` lanes of a warp. A step is two nonzeros per lane; shorter rows are padded with zeros.
// A mark bit on a slice's last step lets a warp read its slices as one stream.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "matrix.hpp"
#include "toolbox/host/memory.hpp"

namespace sextant::npb_cg {
namespace {

inline constexpr std::int64_t most_columns = 1 << 15;  // maximum columns per block
inline constexpr unsigned last_step = 0x80000000U;     // mark bit in the column word of each lane

struct Cut {
  int across = 1, down = 1, lanes = 1;
  // Number of warps per thread block, and of steps that a warp loads together.
  int warps = 32, batch = 2;
  std::int64_t n = 0;

  std::int64_t tiles() const { return std::int64_t{across} * down; }
  // Returns the number of columns per block; the last block may have fewer. The number is even, which keeps
  // pairs of columns aligned.
  std::int64_t columns() const { return ((n + across - 1) / across + 1) / 2 * 2; }
  // Returns how many rows are sorted together by length. Sorting scatters the stores of the row sums. In long
  // bands the L2 cache cannot combine these stores, so fewer rows are sorted together.
  std::int64_t window() const { return n / down > 8192 ? 1024 : 8192; }
  std::int64_t first_column(std::int64_t block) const { return std::min(n, block * columns()); }
  int rows_a_slice() const { return 32 / lanes; }
};

struct Pair {
  double first, second;
};

// Arrays of the tiles. A batch is a group of steps that a warp loads together. The batches of a tile's warps
// are interleaved, so that the thread block reads contiguous memory.
struct Blocks {
  Cut cut;
  std::vector<std::int32_t> first_row;     // first row of each band, down + 1 elements
  std::vector<std::int32_t> tile_batches;  // offset of each tile in batches, tiles + 1 elements
  std::vector<std::int32_t> warp_batches;  // number of batches of each warp of each tile
  std::vector<std::int32_t> warp_slices;   // offset of each warp's first slice, tiles * warps + 1 elements
  std::vector<std::int32_t> slice_rows;    // row numbers of each slice and of two padding slices; -1: no row
  HostMemory<Pair> values;                 // matrix values: two per lane and step
  HostMemory<std::uint32_t> places;        // column numbers within the tile: two per lane and step

  std::int64_t steps() const { return std::int64_t{tile_batches.back()} * cut.batch; }
};

// Returns the boundaries of `down` bands of rows with about equally many nonzeros.
inline std::vector<std::int32_t> split_rows(const Matrix& matrix, int down) {
  std::vector<std::int32_t> first = {0};
  const std::int64_t* row = matrix.row.get();
  for (int b = 1; b <= down; ++b) {
    const std::int64_t entry = matrix.entries() / down * b + matrix.entries() % down * b / down;
    first.push_back(static_cast<std::int32_t>(std::lower_bound(row, row + matrix.n + 1, entry) - row));
  }
  first.back() = static_cast<std::int32_t>(matrix.n);
  return first;
}

// The nonzeros of one row in one block of columns.
struct Piece {
  std::int32_t row;
  std::int64_t first, last;  // range of offsets among the matrix's nonzeros
};

struct Slice {
  std::int32_t steps = 0;
  std::vector<Piece> pieces;
};

class Tile {
 public:
  Tile(const Matrix& matrix, const Cut& cut, const std::vector<std::int32_t>& first_row, std::int64_t tile)
      : matrix_(matrix),
        cut_(cut),
        first_column_(cut.first_column(tile % cut.across)),
        end_column_(cut.first_column(tile % cut.across + 1)),
        load_(static_cast<std::size_t>(cut.warps)) {
    const auto band = static_cast<std::size_t>(tile / cut.across);
    for (std::int64_t first = first_row[band]; first < first_row[band + 1]; first += cut.window())
      add_window(first, std::min<std::int64_t>(first_row[band + 1], first + cut.window()));
  }

  std::int64_t slices() const { return static_cast<std::int64_t>(slices_.size()); }

  template <typename Each>
  void each_of_warp(int warp, const Each& each) const {
    for (std::size_t s = 0; s < slices_.size(); ++s)
      if (warp_of_[s] == warp) each(slices_[s]);
  }

  std::int64_t batches_of(int warp) const {
    return (load_[static_cast<std::size_t>(warp)] + cut_.batch - 1) / cut_.batch;
  }
  std::int64_t most_batches() const {
    return (*std::max_element(load_.begin(), load_.end()) + cut_.batch - 1) / cut_.batch;
  }

  // Writes the steps of a slice. `first` is the index of its first step among the warp's steps.
  void fill(const Slice& slice, int warp, std::int64_t first, Pair* values, std::uint32_t* places) const {
    const auto step_at = [&](std::int64_t step) {
      return ((step / cut_.batch * cut_.warps + warp) * cut_.batch + step % cut_.batch) * 32;
    };
    for (std::size_t p = 0; p < slice.pieces.size(); ++p)
      for (std::int64_t e = slice.pieces[p].first; e < slice.pieces[p].last; ++e) {
        const std::int64_t k = e - slice.pieces[p].first, pair = k / 2;
        const auto at =
            static_cast<std::size_t>(step_at(first + pair / cut_.lanes) +
                                     static_cast<std::int64_t>(p) * cut_.lanes + pair % cut_.lanes);
        const auto place =
            static_cast<std::uint32_t>(matrix_.column[static_cast<std::size_t>(e)] - first_column_);
        (k % 2 ? values[at].second : values[at].first) = matrix_.value[static_cast<std::size_t>(e)];
        places[at] |= k % 2 ? place << 16 : place;
      }
    for (std::int64_t lane = 0; lane < 32; ++lane)
      places[static_cast<std::size_t>(step_at(first + slice.steps - 1) + lane)] |= last_step;
  }

 private:
  void add_window(std::int64_t first, std::int64_t last) {
    std::vector<Piece> pieces;
    for (std::int64_t r = first; r < last; ++r) {
      const std::int32_t* column = matrix_.column.get();
      const std::int64_t begin = matrix_.row[static_cast<std::size_t>(r)],
                         end = matrix_.row[static_cast<std::size_t>(r) + 1];
      pieces.push_back({static_cast<std::int32_t>(r),
                        std::lower_bound(column + begin, column + end, first_column_) - column,
                        std::lower_bound(column + begin, column + end, end_column_) - column});
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.last - a.first > b.last - b.first; });
    const auto together = static_cast<std::size_t>(cut_.rows_a_slice());
    for (std::size_t p = 0; p < pieces.size(); p += together) {
      Slice slice;
      const std::int64_t longest = pieces[p].last - pieces[p].first, step = 2 * cut_.lanes;
      slice.steps = static_cast<std::int32_t>(std::max<std::int64_t>(1, (longest + step - 1) / step));
      slice.pieces.assign(
          pieces.begin() + static_cast<std::ptrdiff_t>(p),
          pieces.begin() + static_cast<std::ptrdiff_t>(std::min(pieces.size(), p + together)));
      // The slice goes to the warp with the fewest steps so far. The longest slices of a window are assigned
      // first.
      const auto warp = std::min_element(load_.begin(), load_.end());
      *warp += slice.steps;
      warp_of_.push_back(static_cast<int>(warp - load_.begin()));
      slices_.push_back(std::move(slice));
    }
  }

  const Matrix& matrix_;
  const Cut& cut_;
  std::int64_t first_column_, end_column_;
  std::vector<Slice> slices_;
  std::vector<int> warp_of_;
  std::vector<std::int64_t> load_;  // number of steps of each warp
};

// Converts a matrix to tiles. Returns null, or the reason for a failure.
inline const char* make_blocks(const Matrix& matrix, const Cut& cut, Blocks* blocks) {
  blocks->cut = cut;
  blocks->first_row = split_rows(matrix, cut.down);
  const std::int64_t tiles = cut.tiles();
  const auto count = static_cast<std::size_t>(tiles);
  std::vector<std::int64_t> slices(count + 1), batches(count + 1);
  in_chunks(tiles, 1, [&](auto& chunks) {
    chunks([&](std::int64_t t) {
      const Tile tile(matrix, cut, blocks->first_row, t);
      slices[static_cast<std::size_t>(t) + 1] = tile.slices();
      batches[static_cast<std::size_t>(t) + 1] = tile.most_batches() * cut.warps;
    });
  });
  for (std::size_t t = 0; t < count; ++t) slices[t + 1] += slices[t], batches[t + 1] += batches[t];
  const std::int64_t steps = batches.back() * cut.batch;
  blocks->tile_batches.assign(batches.begin(), batches.end());
  blocks->warp_batches.assign(static_cast<std::size_t>(tiles * cut.warps), 0);
  blocks->warp_slices.assign(static_cast<std::size_t>(tiles * cut.warps + 1),
                             static_cast<std::int32_t>(slices.back()));
  constexpr std::int64_t ahead = 2;  // number of slices whose rows the kernel prefetches
  blocks->slice_rows.assign(static_cast<std::size_t>((slices.back() + ahead) * cut.rows_a_slice()), -1);
  blocks->values = allocate_host<Pair>(32 * steps);
  blocks->places = allocate_host<std::uint32_t>(32 * steps);
  if (!blocks->values || !blocks->places) return "host memory ran out";
  in_chunks(tiles, 1, [&](auto& chunks) {
    chunks([&](std::int64_t t) {
      const Tile tile(matrix, cut, blocks->first_row, t);
      const std::int64_t first = batches[static_cast<std::size_t>(t)] * cut.batch * 32,
                         last = batches[static_cast<std::size_t>(t) + 1] * cut.batch * 32;
      Pair* values = blocks->values.get() + first;
      std::uint32_t* places = blocks->places.get() + first;
      std::fill(values, values + (last - first), Pair{0, 0});
      std::fill(places, places + (last - first), 0U);
      std::int64_t index = slices[static_cast<std::size_t>(t)];
      for (int warp = 0; warp < cut.warps; ++warp) {
        const auto at = static_cast<std::size_t>(t * cut.warps + warp);
        blocks->warp_slices[at] = static_cast<std::int32_t>(index);
        blocks->warp_batches[at] = static_cast<std::int32_t>(tile.batches_of(warp));
        std::int64_t step = 0;
        tile.each_of_warp(warp, [&](const Slice& slice) {
          std::int32_t* rows =
              blocks->slice_rows.data() + index * static_cast<std::int64_t>(cut.rows_a_slice());
          for (std::size_t p = 0; p < slice.pieces.size(); ++p) rows[p] = slice.pieces[p].row;
          tile.fill(slice, warp, step, values, places);
          step += slice.steps;
          ++index;
        });
      }
    });
  });
  return nullptr;
}

// Builds the matrix of a problem, converts it to tiles and frees it.
inline const char* make_blocks(const Problem& problem, const Cut& cut, Blocks* blocks) {
  Matrix matrix;
  const char* why_not = make_matrix(problem, &matrix);
  return why_not ? why_not : make_blocks(matrix, cut, blocks);
}

}  // namespace
}  // namespace sextant::npb_cg
