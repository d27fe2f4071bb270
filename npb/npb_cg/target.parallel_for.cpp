// The form that one would write first.
#include "target.hpp"

namespace sextant {
namespace {

using npb_cg::Matrix;

void multiply_rows(std::int64_t n, std::int64_t entries, const std::int64_t* row, const std::int32_t* column,
                   const double* value, const double* p, double* q) {
#pragma omp target teams distribute parallel for map(to                                                      \
                                                     : row [0:n + 1], column [0:entries], value [0:entries], \
                                                       p [0:n]) map(from                                     \
                                                                    : q [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t e = row[i]; e < row[i + 1]; ++e) sum += value[e] * p[column[e]];
    q[i] = sum;
  }
}

struct ParallelFor {
  void multiply(const Matrix& matrix, const double* p, double* q) const {
    multiply_rows(matrix.n, matrix.entries(), matrix.row.get(), matrix.column.get(), matrix.value.get(), p,
                  q);
  }
  double dot(std::int64_t n, const double* a, const double* b) const {
    double sum = 0;
#pragma omp target teams distribute parallel for map(to : a [0:n], b [0:n]) map(tofrom : sum) reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }
  void add(std::int64_t n, const double* a, double factor, const double* b, double* to) const {
#pragma omp target teams distribute parallel for map(to : a [0:n], b [0:n]) map(from : to [0:n])
    for (std::int64_t i = 0; i < n; ++i) to[i] = a[i] + factor * b[i];
  }
  void set(std::int64_t n, double value, double* to) const {
#pragma omp target teams distribute parallel for map(from : to [0:n])
    for (std::int64_t i = 0; i < n; ++i) to[i] = value;
  }
};

}  // namespace

Variant npb_cg_target_parallel_for() {
  Variant variant = npb_cg::cg_variant(target::mapped_variant(
      "the form one writes first: a row a thread, reductions over all, sums to the host"));
  variant.launch = {.float64 = [](const Call& call) { npb_cg::Program(call, ParallelFor()).run(); }};
  return variant;
}

}  // namespace sextant
