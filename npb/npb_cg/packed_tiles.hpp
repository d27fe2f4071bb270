// Layout of a sparse matrix in tiles: a band of rows by a block of columns, whose elements of p stay in the
// L1 cache. Within a tile, rows are sorted by their number of nonzeros, and eight rows form a slice (sliced
// ELLPACK). A slice has as many steps as its shortest row has nonzeros, so nothing is padded. Three kinds of
// nonzeros are stored separately: the rest of longer rows, values that cannot be packed, and the diagonal.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "host.hpp"
#include "packed_entries.hpp"
#include "suite/tunables.hpp"

namespace sextant::npb_cg {
namespace {

constexpr std::int64_t most_band = 1 << 16;  // maximum rows of a band, because row numbers have 16 bits
constexpr std::int64_t called_ahead = 2048;  // prefetch distance in bytes

struct RowSlice {
  std::uint16_t rows[slice_rows];  // row numbers relative to the band
};
// Consecutive slices with the same number of steps.
struct Run {
  std::uint32_t slices, steps;
};
// Start of a block of columns in a band's lists of runs, slices and steps.
struct Place {
  std::size_t run = 0, slice = 0;
  std::int64_t step = 0;
};
struct Apart {
  std::int32_t row, column;  // the row is relative to the band
  double value;
};

struct RowBand {
  std::int64_t first = 0, last = 0;  // rows first … last - 1
  std::vector<Place> places;         // start of each block of columns, and end of the last one
  std::vector<Run> runs;
  std::vector<RowSlice> slices;
  HostMemory<std::uint8_t> steps;
  std::vector<Apart> apart;
  std::vector<double> diagonal;
  std::int64_t rows() const { return last - first; }
};

// Fills a band. The band's `first` and `last` must be set.
template <bool narrow>
class BandMaker {
 public:
  BandMaker(const Matrix& matrix, std::int64_t columns, std::uint64_t least, RowBand& band)
      : matrix_(matrix), columns_(columns), least_(least), band_(band), count_(size()), order_(size()) {}

  const char* make() {
    band_.diagonal.assign(size(), 0.0);
    begin_rows();
    band_.places.push_back({});
    for (std::int64_t block = 0; block * columns_ < matrix_.n; ++block) cut(block);
    constexpr std::int64_t large_page = 2 << 20;  // smaller allocations do not get large pages
    const std::int64_t bytes = band_.places.back().step * Step<narrow>::bytes + read_beyond;
    band_.steps = allocate_host<std::uint8_t>(std::max(bytes, large_page));
    if (!band_.steps) return "host memory ran out";
    std::fill_n(band_.steps.get(), bytes, std::uint8_t{0});
    begin_rows();
    for (std::int64_t block = 0; block * columns_ < matrix_.n; ++block) fill(block);
    return nullptr;
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(band_.rows()); }
  void begin_rows() { next_.assign(matrix_.row.get() + band_.first, matrix_.row.get() + band_.last); }
  // Calls entry(column, value) for the row's next nonzeros up to the end of the block. Must be called for all
  // blocks in ascending order.
  template <typename Entry>
  void each_entry(std::size_t row, std::int64_t block, const Entry& entry) {
    const std::int64_t end_of_row = matrix_.row[static_cast<std::size_t>(band_.first) + row + 1];
    for (std::int64_t& e = next_[row]; e < end_of_row; ++e) {
      const std::int32_t column = matrix_.column[static_cast<std::size_t>(e)];
      if (column >= (block + 1) * columns_) return;
      entry(column, matrix_.value[static_cast<std::size_t>(e)]);
    }
  }
  bool on_diagonal(std::size_t row, std::int32_t column) const {
    return column == band_.first + static_cast<std::int64_t>(row);
  }

  // Builds the slices of a block of columns.
  void cut(std::int64_t block) {
    for (std::size_t row = 0; row < size(); ++row) {
      count_[row] = 0;
      each_entry(row, block, [&](std::int32_t column, double value) {
        if (on_diagonal(row, column))
          band_.diagonal[row] = value;
        else if (can_be_packed(packed_value(value, least_)))
          ++count_[row];
      });
    }
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return count_[a] > count_[b]; });
    Place end = band_.places.back();
    for (std::size_t r = 0; r + slice_rows <= size(); r += slice_rows) {
      const std::uint32_t steps = count_[order_[r + slice_rows - 1]];
      if (steps == 0) break;
      RowSlice slice;
      std::copy_n(order_.begin() + static_cast<std::ptrdiff_t>(r), slice_rows, slice.rows);
      band_.slices.push_back(slice);
      if (band_.runs.size() == band_.places.back().run || band_.runs.back().steps != steps)
        band_.runs.push_back({0, steps});
      ++band_.runs.back().slices;
      end.step += steps;
    }
    end.run = band_.runs.size(), end.slice = band_.slices.size();
    band_.places.push_back(end);
  }

  void fill(std::int64_t block) {
    const Place &from = band_.places[static_cast<std::size_t>(block)],
                &to = band_.places[static_cast<std::size_t>(block) + 1];
    struct Lane {
      std::uint8_t* step = nullptr;
      std::uint32_t left = 0;
      int number = 0;
    };
    std::vector<Lane> lanes(size());
    std::uint8_t* step = band_.steps.get() + from.step * Step<narrow>::bytes;
    std::size_t slice = from.slice;
    for (std::size_t run = from.run; run < to.run; ++run)
      for (std::uint32_t s = 0; s < band_.runs[run].slices; ++s, ++slice) {
        for (int l = 0; l < slice_rows; ++l)
          lanes[band_.slices[slice].rows[l]] = {step, band_.runs[run].steps, l};
        step += band_.runs[run].steps * Step<narrow>::bytes;
      }
    for (std::size_t row = 0; row < size(); ++row)
      each_entry(row, block, [&](std::int32_t column, double value) {
        if (on_diagonal(row, column)) return;
        Lane& lane = lanes[row];
        const std::uint64_t packed = packed_value(value, least_);
        if (lane.left == 0 || !can_be_packed(packed)) {
          band_.apart.push_back({static_cast<std::int32_t>(row), column, value});
          return;
        }
        Step<narrow>::put(lane.step, lane.number, packed,
                          static_cast<std::uint32_t>(column - block * columns_));
        lane.step += Step<narrow>::bytes;
        --lane.left;
      });
  }

  const Matrix& matrix_;
  const std::int64_t columns_;
  const std::uint64_t least_;
  RowBand& band_;
  std::vector<std::uint32_t> count_,
      order_;                       // count_: packable nonzeros of each row; order_: rows sorted by count_
  std::vector<std::int64_t> next_;  // next nonzero of each row
};

// Matrix-vector product by packed tiles. Each thread makes its own copy of p, one block of columns at a time.
struct PackedTiles {
  // Bytes of memory per nonzero, including the unpacked matrix.
  static constexpr std::int64_t entry_bytes = 21;

  std::int64_t n = 0, columns = narrow_columns;  // n: matrix side; columns: columns per block
  std::uint64_t least = 0;
  std::vector<std::vector<RowBand>> bands;  // bands of each thread
  std::vector<HostMemory<double>> p;        // each thread's copy of p

  const char* take(Matrix&& matrix) {
    n = matrix.n;
    least = least_exponent(largest(matrix));
    const auto threads = static_cast<std::size_t>(thread_count());
    bands.resize(threads);
    p.resize(threads);
    std::vector<const char*> failed(threads, nullptr);
#pragma omp parallel for schedule(static, 1)
    for (std::size_t t = 0; t < threads; ++t) failed[t] = take_share(matrix, static_cast<int>(t));
    for (const char* why_not : failed)
      if (why_not) return why_not;
    return nullptr;
  }

  std::int64_t first_row(int thread, int threads) const {
    return thread == threads ? n : bands[static_cast<std::size_t>(thread)].front().first;
  }

  // Computes p = from + beta p in the thread's copy, and q = A p for the thread's rows.
  void multiply(int thread, const double* from, double beta, double* own, double* q) const {
    bool made = false;
    for (const RowBand& band : bands[static_cast<std::size_t>(thread)]) {
      const auto next = [&](std::int64_t begin, std::int64_t end) {
        if (!made) make_directions(from, beta, begin, end, own);
      };
      if (columns <= narrow_columns)
        multiply_band<true>(band, own, q + band.first, next);
      else
        multiply_band<false>(band, own, q + band.first, next);
      made = true;
    }
  }

 private:
  template <bool narrow, typename Next>
  void multiply_band(const RowBand& band, const double* own, double* q, const Next& next) const {
    const std::int64_t blocks = (n + columns - 1) / columns, start = band.first / columns;
    std::fill_n(q, band.rows(), 0.0);
    for (std::int64_t turn = 0; turn < blocks; ++turn) {  // threads start at different blocks
      const std::int64_t block = (start + turn) % blocks;
      next(block * columns, std::min(n, (block + 1) * columns));
      add_tile<narrow>(band, static_cast<std::size_t>(block), own + block * columns, q);
    }
    for (const Apart& entry : band.apart) q[entry.row] += entry.value * own[entry.column];
    const double* diagonal = band.diagonal.data();
    for (std::int64_t i = 0; i < band.rows(); ++i) q[i] += diagonal[i] * own[band.first + i];
  }

  template <bool narrow>
  void add_tile(const RowBand& band, std::size_t block, const double* from, double* q) const {
    const Place &begin = band.places[block], &end = band.places[block + 1];
    const std::uint8_t* step = band.steps.get() + begin.step * Step<narrow>::bytes;
    const RowSlice* slice = band.slices.data() + begin.slice;
    SliceSum<narrow> sum(from, least);
    for (std::size_t r = begin.run; r < end.run; ++r) {
      const Run run = band.runs[r];
      for (std::uint32_t s = 0; s < run.slices; ++s, ++slice) {
        sum.begin(q, slice->rows);
        for (std::uint32_t k = 0; k < run.steps; ++k, step += Step<narrow>::bytes) {
          __builtin_prefetch(step + called_ahead);
          sum.add(step);
        }
        sum.end(q);
      }
    }
  }

  static double largest(const Matrix& matrix) {
    double most = 0;
    for (std::int64_t i = 0; i < matrix.n; ++i)
      for (auto e = static_cast<std::size_t>(matrix.row[static_cast<std::size_t>(i)]);
           e < static_cast<std::size_t>(matrix.row[static_cast<std::size_t>(i) + 1]); ++e)
        if (matrix.column[e] != i) most = std::max(most, matrix.value[e]);
    return most;
  }
  const char* take_share(const Matrix& matrix, int thread) {
    const auto t = static_cast<std::size_t>(thread);
    const int threads = static_cast<int>(bands.size());
    p[t] = allocate_host<double>(n);
    if (!p[t]) return "host memory ran out";
    std::fill_n(p[t].get(), n, 0.0);
    const auto offset = [&](std::int64_t i) { return matrix.row[static_cast<std::size_t>(i)]; };
    const std::int64_t first = first_row_of(n, thread, threads, offset),
                       last = first_row_of(n, thread + 1, threads, offset);
    const std::int64_t count = std::max<std::int64_t>(1, (last - first + most_band - 1) / most_band);
    bands[t].resize(static_cast<std::size_t>(count));
    for (std::int64_t b = 0; b < count; ++b) {
      RowBand& band = bands[t][static_cast<std::size_t>(b)];
      band.first = first + (last - first) * b / count;
      band.last = first + (last - first) * (b + 1) / count;
      const char* why_not = columns <= narrow_columns ? BandMaker<true>(matrix, columns, least, band).make()
                                                      : BandMaker<false>(matrix, columns, least, band).make();
      if (why_not) return why_not;
    }
    return nullptr;
  }
};

struct Columns {
  int columns = narrow_columns;  // columns per block
};

// Chooses the narrowest blocks in which rows have enough nonzeros: each row's sum is loaded and stored once
// per block.
inline void adapt_columns(const Problem& problem, Columns& tuned) {
  constexpr std::int64_t enough = 6, fewest = 2048, most = 65536;
  const std::int64_t n = problem.extents.x;
  tuned.columns = fewest;
  while (tuned.columns < most && most_entries(problem) / n * tuned.columns < enough * n) tuned.columns *= 2;
}

inline Variant tile_variant(const char* description) {
  Variant variant = host_variant<PackedTiles>(description);
  variant.tunables =
      tunables<Columns>({{"columns", &Columns::columns, {1024, 2048, 4096, 8192, 16384, 32768, 65536}}});
  variant.adapt = by_name<adapt_columns>;
  variant.prepare = [](const Call& call, void** state) {
    auto made = std::make_unique<HostState<PackedTiles>>();
    made->product.columns = call.tuned<Columns>().columns;
    return prepare_on_host(call, std::move(made), state);
  };
  variant.workspace = [](const Problem& problem, const int*) {
    return most_entries(problem) * PackedTiles::entry_bytes + 8 * (6 + thread_count()) * problem.extents.x;
  };
  return variant;
}

}  // namespace
}  // namespace sextant::npb_cg
