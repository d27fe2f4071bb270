// A row's sum in the lanes of a vector.
#pragma once

#include "loop.hpp"

namespace sextant::spmv {

// The sum of entries begin … end-1. Static: each variant compiles its own copy with its own flags.
template <typename T>
static T sum_of_entries(const Arrays<T>& a, std::int64_t begin, std::int64_t end) {
  const std::int32_t* col = a.col;
  const T *val = a.val, *x = a.x;
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t e = begin; e < end; ++e) sum += val[e] * x[col[e]];
  return sum;
}

}  // namespace sextant::spmv
