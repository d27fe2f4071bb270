// The matrices' structure in closed form. It does not depend on the seed: rows and columns are drawn by fixed ones, so
// that what is prepared from one input serves any other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/problem.hpp"
#include "toolbox/draws.hpp"

namespace sextant::spmv {

enum Structure : std::int64_t { banded, uniform, powerlaw };  // Problem::parameters[0]

inline constexpr std::int64_t even_length = 16;  // of a row of the banded and the uniform matrix
inline constexpr std::int64_t most_rows = (std::int64_t{1} << 28) - 1;  // for which the ruler has lengths

// Entries of row r of m, no row has more than m.
constexpr std::int64_t row_length(std::int64_t structure, std::int64_t m, std::int64_t r) {
  return std::min(structure == powerlaw ? ruler_length(r) : even_length, m);
}

// Entries of all rows before r, 0 <= r <= m. Of 2^(t+1) rows one has a length of mark t of the ruler.
constexpr std::int64_t row_offset(std::int64_t structure, std::int64_t m, std::int64_t r) {
  if (structure != powerlaw) return r * std::min(even_length, m);
  std::int64_t sum = 0;
  for (int t = 0; r >> t > 0; ++t)
    sum += ((r >> t) - (r >> (t + 1))) * std::min(ruler_length((std::int64_t{1} << t) - 1), m);
  return sum;
}

// Entry q of a row of length k lies q columns beyond one that is drawn from a range of its own: where that range begins.
// The next entry's begins where it ends.
constexpr std::int64_t first_column(std::int64_t structure, std::int64_t m, std::int64_t k, std::int64_t q) {
  if (structure == uniform) return (m - k) * q / k;
  const double part = static_cast<double>(q) / static_cast<double>(k);
  return static_cast<std::int64_t>(static_cast<double>(m - k) * (part * part * part));
}

// The column of entry q of row r, whose length is k; `entry` counts all rows' entries. Columns ascend along a row.
constexpr std::int64_t column(std::int64_t structure, std::int64_t m, std::int64_t r, std::int64_t k,
                              std::int64_t q, std::int64_t entry) {
  if (structure == banded) return std::clamp<std::int64_t>(r - even_length / 2, 0, m - k) + q;
  const std::int64_t low = first_column(structure, m, k, q), high = first_column(structure, m, k, q + 1);
  return q + low + below(structure_seed(1), entry, std::max<std::int64_t>(1, high - low));
}

constexpr std::int64_t rows_of(const Problem& problem) { return problem.extents.x; }
constexpr std::int64_t entries_of(const Problem& problem) {
  return row_offset(problem.parameters[0], rows_of(problem), rows_of(problem));
}

}  // namespace sextant::spmv
