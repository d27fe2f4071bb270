// NAS CG's matrix-vector product by plain loops over compressed sparse rows, for the baseline variants.
#pragma once

#include "host.hpp"

namespace sextant::npb_cg {
namespace {

// Computes the product row by row, as in NPB's own program.
struct PlainRows {
  static constexpr std::int64_t entry_bytes = 12;
  Matrix matrix;

  const char* take(Matrix&& made) {
    matrix = std::move(made);
    return nullptr;
  }
  std::int64_t first_row(int thread, int threads) const { return matrix.n * thread / threads; }
  void multiply(std::int64_t first, std::int64_t last, const double* p, double* q) const {
    const std::int64_t* row = matrix.row.get();
    const std::int32_t* column = matrix.column.get();
    const double* value = matrix.value.get();
    for (std::int64_t i = first; i < last; ++i) {
      double sum = 0;
      for (std::int64_t e = row[i]; e < row[i + 1]; ++e) sum += value[e] * p[column[e]];
      q[i] = sum;
    }
  }
};

}  // namespace
}  // namespace sextant::npb_cg
