// The default vector length of simple OpenACC loops.
#pragma once

#include "suite/problem.hpp"

namespace sextant::openacc {

// Sets the vector length that was the best compromise on an H200: 32 (GCC's default), 64 from 8 Mi elements
// on, and `largest` from 32 Mi on.
template <typename Gang, int largest = 128>
void adapt_vector_length(const Problem& problem, Gang& gang) {
  constexpr std::int64_t mi = 1 << 20;
  gang.vector_length = problem.n < 8 * mi ? 32 : problem.n < 32 * mi ? 64 : largest;
}

}  // namespace sextant::openacc
