// The vector length of plain OpenACC loops.
#pragma once

#include "suite/problem.hpp"

namespace sextant::openacc {

// One warp, as GCC itself chooses; two from 4 Mi elements. Measured on an H200 at the study's sizes: longer vectors take 1.1 to
// 2 times as long.
template <typename Gang>
void adapt_vector_length(const Problem& problem, Gang& gang) {
  gang.vector_length = problem.n < (std::int64_t{4} << 20) ? 32 : 64;
}

}  // namespace sextant::openacc
