// Layout of a sparse matrix in bands of rows, one band per thread block. A band is processed one block of
// columns at a time. Shared memory then holds the band's sums and only one block of the vector. Within a
// block of columns, rows are sorted by length and grouped into slices of 32, one row per lane (sliced
// ELLPACK). A step is one nonzero per lane; shorter rows are padded with zeros. Mark bits in the column
// numbers show the end of a slice and of a block of columns.
#pragma once

#include "blocks.hpp"

namespace sextant::npb_cg {
namespace {

inline constexpr std::int64_t most_band_columns = 1 << 14;             // maximum columns per block
inline constexpr unsigned ends_slice = 0x8000U, ends_block = 0x4000U;  // mark bits in a column number
inline constexpr std::uint16_t no_row = 0xFFFFU;

struct BandCut {
  int bands = 1, warps = 16,
      batch = 4;                    // warps: warps per band; batch: pairs of steps that a warp loads together
  std::int64_t n = 0, columns = 0;  // n: matrix side; columns: columns per block
  std::int64_t blocks() const { return (n + columns - 1) / columns; }
};

// Arrays of the bands. A batch is a group of steps that a warp loads together. The batches of a band's warps
// are interleaved in memory.
struct Bands {
  std::vector<std::int32_t> first_row;     // first row of each band, bands + 1 elements
  std::vector<std::int32_t> band_batches;  // offset of each band in batches, bands + 1 elements
  std::vector<std::int32_t> warp_batches;  // number of batches of each warp of each band
  std::vector<std::int32_t> warp_slices;   // offset of each warp's first slice
  // 32 row numbers per slice, relative to the band's first row; two padding slices at the end.
  HostMemory<std::uint16_t> rows;
  HostMemory<Pair> values;           // matrix values: two per lane for each pair of steps
  HostMemory<std::uint32_t> places;  // column numbers with mark bits: two per lane for each pair of steps
  std::int64_t slices = 0, pairs = 0;
};

// Assigns the slices of one band to warps. Within each block of columns, a slice goes to the warp with the
// fewest steps so far.
class Band {
 public:
  Band(const Matrix& matrix, const BandCut& cut, std::int64_t first, std::int64_t last)
      : matrix_(matrix), cut_(cut), first_(first), last_(last) {}

  // Calls of_slice(warp, pieces, count, steps) for each slice of a block of columns. `pieces` points to the
  // slice's `count` rows, restricted to their nonzeros in this block. Then calls at_end(block).
  template <typename OfSlice, typename AtEnd>
  void walk(const OfSlice& of_slice, const AtEnd& at_end) const {
    std::vector<std::int64_t> at(matrix_.row.get() + first_, matrix_.row.get() + last_);
    std::vector<Piece> pieces(at.size()), sorted(at.size());
    std::vector<std::int64_t> total(static_cast<std::size_t>(cut_.warps));
    for (std::int64_t block = 0; block < cut_.blocks(); ++block) {
      const std::int64_t end_column = (block + 1) * cut_.columns;
      for (std::size_t r = 0; r < at.size(); ++r) {
        const std::int64_t begin = at[r], end = matrix_.row[static_cast<std::size_t>(first_) + r + 1];
        while (at[r] < end && matrix_.column[static_cast<std::size_t>(at[r])] < end_column) ++at[r];
        pieces[r] = {static_cast<std::int32_t>(r), begin, at[r]};
      }
      const std::size_t filled = sort(pieces, sorted);
      std::vector<std::int64_t> load(total.size());
      for (std::size_t p = 0; p < filled; p += 32) {
        std::size_t warp = 0;
        for (std::size_t w = 1; w < load.size(); ++w)
          if (std::pair(load[w], total[w]) < std::pair(load[warp], total[warp])) warp = w;
        const std::int64_t steps = sorted[p].last - sorted[p].first;
        load[warp] += steps, total[warp] += steps;
        of_slice(warp, sorted.data() + p, std::min<std::size_t>(32, filled - p), steps);
      }
      at_end(block);
    }
  }

 private:
  // Sorts partial rows by length in descending order and returns the number of nonempty ones.
  static std::size_t sort(const std::vector<Piece>& pieces, std::vector<Piece>& sorted) {
    std::vector<std::size_t> first;
    for (const Piece& piece : pieces) {
      const auto length = static_cast<std::size_t>(piece.last - piece.first);
      if (first.size() <= length) first.resize(length + 1);
      ++first[length];
    }
    const std::size_t filled = first.empty() ? 0 : pieces.size() - first[0];
    for (std::size_t length = first.size(), before = 0; length-- > 0;)
      before += std::exchange(first[length], before);
    for (const Piece& piece : pieces)
      sorted[first[static_cast<std::size_t>(piece.last - piece.first)]++] = piece;
    return filled;
  }

  const Matrix& matrix_;
  const BandCut& cut_;
  const std::int64_t first_, last_;
};

// Number of steps and slices of each warp of a band.
struct BandSize {
  std::vector<std::int64_t> steps, slices;  // one element per warp
  explicit BandSize(const Band& band, int warps)
      : steps(static_cast<std::size_t>(warps)), slices(static_cast<std::size_t>(warps)) {
    const std::vector<std::int64_t> none(steps.size());
    std::vector<std::int64_t> before = none;
    band.walk([&](std::size_t warp, const Piece*, std::size_t,
                  std::int64_t count) { steps[warp] += count, ++slices[warp]; },
              [&](std::int64_t) {  // a warp without slices gets one empty pair of steps for the end mark
                for (std::size_t w = 0; w < steps.size(); ++w)
                  steps[w] += steps[w] == before[w] ? 2 : steps[w] % 2;
                before = steps;
              });
  }
};

// Writes the steps of a band's warps. `values` and `places` (column numbers) point to the band's memory,
// which must be zero. `rows_of` points to the row numbers of each warp's slices.
inline void fill_band(const Matrix& matrix, const BandCut& cut, const Band& band, Pair* values,
                      std::uint32_t* places, const std::vector<std::uint16_t*>& rows_of) {
  std::vector<std::uint16_t*> rows = rows_of;
  std::vector<std::int64_t> steps(rows.size()), before(rows.size());
  std::int64_t first_column = 0;
  const auto at = [&](std::size_t warp, std::int64_t step, std::size_t lane) {
    const std::int64_t pair = step / 2,
                       batch = pair / cut.batch * cut.warps + static_cast<std::int64_t>(warp);
    return static_cast<std::size_t>((batch * cut.batch + pair % cut.batch) * 32) + lane;
  };
  const auto mark = [&](std::size_t warp, std::int64_t step, unsigned what) {
    for (std::size_t lane = 0; lane < 32; ++lane)
      places[at(warp, step, lane)] |= step % 2 ? what << 16 : what;
  };
  band.walk(
      [&](std::size_t warp, const Piece* pieces, std::size_t count, std::int64_t longest) {
        for (std::size_t lane = 0; lane < count; ++lane) {
          rows[warp][lane] = static_cast<std::uint16_t>(pieces[lane].row);
          for (std::int64_t e = pieces[lane].first; e < pieces[lane].last; ++e) {
            const std::int64_t step = steps[warp] + e - pieces[lane].first;
            const std::size_t to = at(warp, step, lane);
            const auto place =
                static_cast<std::uint32_t>(matrix.column[static_cast<std::size_t>(e)] - first_column);
            (step % 2 ? values[to].second : values[to].first) = matrix.value[static_cast<std::size_t>(e)];
            places[to] |= step % 2 ? place << 16 : place;
          }
        }
        rows[warp] += 32;
        steps[warp] += longest;
        mark(warp, steps[warp] - 1, ends_slice);
      },
      [&](std::int64_t block) {
        for (std::size_t w = 0; w < steps.size(); ++w) {
          steps[w] += steps[w] == before[w] ? 2 : steps[w] % 2;
          mark(w, steps[w] - 1, ends_block);
        }
        before = steps;
        first_column = (block + 1) * cut.columns;
      });
}

// Converts a matrix to bands. Returns null, or the reason for a failure.
inline const char* make_bands(const Matrix& matrix, const BandCut& cut, Bands* bands) {
  bands->first_row = split_rows(matrix, cut.bands);
  const auto count = static_cast<std::size_t>(cut.bands), warps = static_cast<std::size_t>(cut.warps);
  const auto band_at = [&](std::int64_t b) {
    return Band(matrix, cut, bands->first_row[static_cast<std::size_t>(b)],
                bands->first_row[static_cast<std::size_t>(b) + 1]);
  };
  bands->band_batches.assign(count + 1, 0);
  bands->warp_batches.assign(count * warps, 0);
  bands->warp_slices.assign(count * warps + 1, 0);
  in_chunks(cut.bands, 1, [&](auto& chunks) {
    chunks([&](std::int64_t b) {
      const BandSize size(band_at(b), cut.warps);
      for (std::size_t w = 0; w < warps; ++w) {
        const std::size_t at = static_cast<std::size_t>(b) * warps + w;
        bands->warp_batches[at] = static_cast<std::int32_t>((size.steps[w] / 2 + cut.batch - 1) / cut.batch);
        bands->warp_slices[at + 1] = static_cast<std::int32_t>(size.slices[w]);
      }
    });
  });
  for (std::size_t b = 0; b < count; ++b) {
    const auto first = bands->warp_batches.begin() + static_cast<std::ptrdiff_t>(b * warps);
    bands->band_batches[b + 1] =
        bands->band_batches[b] + *std::max_element(first, first + cut.warps) * cut.warps;
  }
  for (std::size_t w = 0; w < count * warps; ++w) bands->warp_slices[w + 1] += bands->warp_slices[w];
  constexpr std::int64_t ahead = 2;  // number of slices whose rows the kernel prefetches
  bands->slices = bands->warp_slices.back() + ahead;
  bands->pairs = std::int64_t{bands->band_batches.back()} * cut.batch;
  bands->rows = allocate_host<std::uint16_t>(bands->slices * 32);
  bands->values = allocate_host<Pair>(bands->pairs * 32);
  bands->places = allocate_host<std::uint32_t>(bands->pairs * 32);
  if (!bands->rows || !bands->values || !bands->places) return "host memory ran out";
  std::fill(bands->rows.get() + bands->warp_slices.back() * std::int64_t{32},
            bands->rows.get() + bands->slices * 32, no_row);
  in_chunks(cut.bands, 1, [&](auto& chunks) {
    chunks([&](std::int64_t b) {
      const auto band = static_cast<std::size_t>(b);
      const std::int64_t first = bands->band_batches[band] * std::int64_t{32} * cut.batch,
                         last = bands->band_batches[band + 1] * std::int64_t{32} * cut.batch;
      std::fill(bands->values.get() + first, bands->values.get() + last, Pair{0, 0});
      std::fill(bands->places.get() + first, bands->places.get() + last, 0U);
      std::vector<std::uint16_t*> rows;
      for (std::size_t w = 0; w < warps; ++w)
        rows.push_back(bands->rows.get() + bands->warp_slices[band * warps + w] * std::int64_t{32});
      std::fill(rows[0], bands->rows.get() + bands->warp_slices[(band + 1) * warps] * std::int64_t{32},
                no_row);
      fill_band(matrix, cut, band_at(b), bands->values.get() + first, bands->places.get() + first, rows);
    });
  });
  return nullptr;
}

// Builds the matrix of a problem, converts it to bands and frees it.
inline const char* make_bands(const Problem& problem, const BandCut& cut, Bands* bands) {
  Matrix matrix;
  const char* why_not = make_matrix(problem, &matrix);
  return why_not ? why_not : make_bands(matrix, cut, bands);
}

}  // namespace
}  // namespace sextant::npb_cg
