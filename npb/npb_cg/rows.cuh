// Device memory for the vectors and for the matrix in compressed sparse rows, for cuda.study, cuda.rows and
// library.cusparse.
#pragma once

#include "gpu_state.cuh"

namespace sextant::npb_cg {
namespace {

struct DeviceRows {
  DeviceMemory<std::int64_t> row;
  DeviceMemory<std::int32_t> column;
  DeviceMemory<double> value, vectors;  // vectors: x, z, r, p, q in this order

  const char* make(const Problem& problem) {
    Matrix matrix;
    if (const char* why_not = make_matrix(problem, &matrix)) return why_not;
    const std::int64_t n = matrix.n;
    return row.fill(matrix.row.get(), n + 1) && column.fill(matrix.column.get(), matrix.entries()) &&
                   value.fill(matrix.value.get(), matrix.entries()) && vectors.allocate(5 * n)
               ? nullptr
               : "device memory ran out";
  }
};

inline std::int64_t rows_workspace(const Problem& problem, const int*) {
  return most_entries(problem) * 12 + problem.extents.x * 48;
}

}  // namespace
}  // namespace sextant::npb_cg
