// Builds the matrix of NAS CG in compressed sparse rows with ascending columns. Random numbers are drawn
// sequentially, because the number of draws per vector depends on them. Threads then build the rows. Each row
// adds its terms in vector order, so that sums are rounded as in NPB.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "problem.hpp"
#include "toolbox/host/memory.hpp"
#include "toolbox/npb_random.hpp"

// Host threads for the untimed preparation. They do not use OpenMP, because CUDA and serial code is compiled
// without it.
namespace sextant::npb_cg {
namespace {

// Distributes the indices 0 … count - 1 to threads in chunks of `chunk`.
struct Chunks {
  std::int64_t count, chunk;
  std::atomic<std::int64_t> next = 0;

  template <typename Each>
  void operator()(const Each& each) {
    for (std::int64_t first; (first = next.fetch_add(chunk)) < count;)
      for (std::int64_t i = first; i < std::min(count, first + chunk); ++i) each(i);
  }
};

// Calls work(chunks) on up to one thread per core. `work` must process its chunks by chunks(each).
template <typename Work>
void in_chunks(std::int64_t count, std::int64_t chunk, const Work& work) {
  Chunks chunks{count, chunk};
  const std::int64_t useful = (count + chunk - 1) / chunk,
                     most = std::min<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()), useful);
  std::vector<std::thread> threads;
  for (std::int64_t t = 1; t < most; ++t) threads.emplace_back([&] { work(chunks); });
  work(chunks);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace sextant::npb_cg

namespace sextant::npb_cg {
namespace {

struct Matrix {
  std::int64_t n = 0;
  HostMemory<std::int64_t> row;  // n + 1 row offsets into the nonzeros
  HostMemory<std::int32_t> column;
  HostMemory<double> value;

  std::int64_t entries() const { return row[static_cast<std::size_t>(n)]; }
};

struct Element {
  std::int32_t place;
  double value;
};

// The sparse vectors v_i, one after another. The matrix is a sum of s_i times the outer products of v_i.
// `first` holds the vectors' offsets, `scale` holds s_i.
struct Vectors {
  std::vector<std::int64_t> first;
  std::vector<Element> elements;
  std::vector<double> scale;
};

inline Vectors draw_vectors(std::int64_t n, std::int64_t nonzer) {
  int bits = 1;  // log2 of the smallest power of two that is at least n and at least 2
  while (std::int64_t{1} << bits < n) ++bits;
  Vectors vectors;
  vectors.first.reserve(static_cast<std::size_t>(n + 1));
  vectors.elements.reserve(static_cast<std::size_t>(n * (nonzer + 1)));
  const double ratio = std::pow(condition, 1.0 / static_cast<double>(n));
  double scale = 1;
  std::uint64_t state = npb::random_next(npb::other_seed);  // the first number is not used
  for (std::int64_t i = 0; i < n; ++i) {
    const std::size_t first = vectors.elements.size();
    vectors.first.push_back(static_cast<std::int64_t>(first));
    vectors.scale.push_back(scale);
    scale *= ratio;
    const auto find = [&](std::int32_t place) {
      std::size_t at = first;
      while (at < vectors.elements.size() && vectors.elements[at].place != place) ++at;
      return at;
    };
    while (static_cast<std::int64_t>(vectors.elements.size() - first) < nonzer) {
      const double value = npb::random_value(state = npb::random_next(state));
      state = npb::random_next(state);
      const auto place = static_cast<std::int32_t>(state >> (46 - bits));
      if (place < n && find(place) == vectors.elements.size()) vectors.elements.push_back({place, value});
    }
    const std::size_t own = find(static_cast<std::int32_t>(i));
    if (own < vectors.elements.size())
      vectors.elements[own].value = 0.5;
    else
      vectors.elements.push_back({static_cast<std::int32_t>(i), 0.5});
  }
  vectors.first.push_back(static_cast<std::int64_t>(vectors.elements.size()));
  return vectors;
}

// The vectors sorted by row. For each row: the vectors with an element in it, in ascending order, and the
// index of that element within the vector.
struct Transposed {
  std::vector<std::int64_t> first;
  std::vector<std::pair<std::int32_t, std::int32_t>> vectors;
};

inline Transposed transpose(std::int64_t n, const Vectors& vectors) {
  Transposed result;
  result.first.assign(static_cast<std::size_t>(n + 1), 0);
  for (const Element& element : vectors.elements) ++result.first[static_cast<std::size_t>(element.place) + 1];
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) result.first[i + 1] += result.first[i];
  result.vectors.resize(vectors.elements.size());
  std::vector<std::int64_t> next = result.first;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t first = vectors.first[static_cast<std::size_t>(i)];
    for (std::int64_t e = first; e < vectors.first[static_cast<std::size_t>(i) + 1]; ++e) {
      const auto place = static_cast<std::size_t>(vectors.elements[static_cast<std::size_t>(e)].place);
      result.vectors[static_cast<std::size_t>(next[place]++)] = {static_cast<std::int32_t>(i),
                                                                 static_cast<std::int32_t>(e - first)};
    }
  }
  return result;
}

// Builds rows for one thread. Contains that thread's scratch memory.
class RowMaker {
 public:
  RowMaker(std::int64_t n, double shift, const Vectors& vectors, const Transposed& transposed)
      : shift_(shift), vectors_(vectors), transposed_(transposed), seen_(static_cast<std::size_t>(n), -1) {}

  // Counts the distinct columns of a row.
  std::int64_t count(std::int64_t row) {
    std::int64_t columns = 0;
    each_vector(row, [&](std::size_t first, std::size_t last, std::size_t, double) {
      for (std::size_t e = first; e < last; ++e) {
        std::int32_t& seen = seen_[static_cast<std::size_t>(vectors_.elements[e].place)];
        columns += seen != row;
        seen = static_cast<std::int32_t>(row);
      }
    });
    return columns;
  }

  // Writes the columns and values of a row. All terms are stored before they are added, so that the compiler
  // does not fuse multiplications and additions.
  void make(std::int64_t row, std::int32_t* column, double* value) {
    terms_.clear();
    keys_.clear();
    std::size_t diagonal = 0;
    each_vector(row, [&](std::size_t first, std::size_t last, std::size_t i, double scale) {
      for (std::size_t e = first; e < last; ++e) {
        const auto place = static_cast<std::uint64_t>(vectors_.elements[e].place);
        if (static_cast<std::int64_t>(place) == row && static_cast<std::int64_t>(i) == row)
          diagonal = terms_.size();
        keys_.push_back(place << 32 | terms_.size());
        terms_.push_back(vectors_.elements[e].value * scale);
      }
    });
    std::sort(keys_.begin(), keys_.end());
    std::int64_t at = -1;
    for (const std::uint64_t key : keys_) {
      const auto place = static_cast<std::int32_t>(key >> 32);
      const auto index = static_cast<std::size_t>(key & 0xffffffffU);
      double term = terms_[index];
      if (index == diagonal) term = (term + condition) - shift_;
      if (at < 0 || column[at] != place)
        column[++at] = place, value[at] = term;
      else
        value[at] += term;
    }
  }

 private:
  // Calls `each` for each vector with an element in this row. Passes the range of the vector's elements, its
  // index, and s_i times its element in this row.
  template <typename Each>
  void each_vector(std::int64_t row, const Each& each) const {
    for (std::int64_t t = transposed_.first[static_cast<std::size_t>(row)];
         t < transposed_.first[static_cast<std::size_t>(row) + 1]; ++t) {
      const auto [i, e] = transposed_.vectors[static_cast<std::size_t>(t)];
      const auto vector = static_cast<std::size_t>(i);
      const auto first = static_cast<std::size_t>(vectors_.first[vector]),
                 last = static_cast<std::size_t>(vectors_.first[vector + 1]);
      each(first, last, vector,
           vectors_.scale[vector] * vectors_.elements[first + static_cast<std::size_t>(e)].value);
    }
  }

  double shift_;
  const Vectors& vectors_;
  const Transposed& transposed_;
  std::vector<std::int32_t> seen_;  // for each column, the last row that contained it
  std::vector<double> terms_;
  std::vector<std::uint64_t> keys_;  // column in the high half, index of the term in the low half
};

// Builds the matrix of a problem. Returns null, or the reason for a failure.
inline const char* make_matrix(const Problem& problem, Matrix* matrix) {
  const std::int64_t n = problem.extents.x;
  const Vectors vectors = draw_vectors(n, nonzer(problem));
  const Transposed transposed = transpose(n, vectors);
  matrix->n = n;
  matrix->row = allocate_host<std::int64_t>(n + 1);
  if (!matrix->row) return "host memory ran out";
  std::int64_t* row = matrix->row.get();
  row[0] = 0;
  constexpr std::int64_t chunk = 256;  // number of rows that a thread takes at a time
  in_chunks(n, chunk, [&](auto& chunks) {
    RowMaker maker(n, shift(problem), vectors, transposed);
    chunks([&](std::int64_t i) { row[i + 1] = maker.count(i); });
  });
  for (std::int64_t i = 0; i < n; ++i) row[i + 1] += row[i];
  matrix->column = allocate_host<std::int32_t>(row[n]);
  matrix->value = allocate_host<double>(row[n]);
  if (!matrix->column || !matrix->value) return "host memory ran out";
  in_chunks(n, chunk, [&](auto& chunks) {
    RowMaker maker(n, shift(problem), vectors, transposed);
    chunks(
        [&](std::int64_t i) { maker.make(i, matrix->column.get() + row[i], matrix->value.get() + row[i]); });
  });
  return nullptr;
}

}  // namespace
}  // namespace sextant::npb_cg
