// The default vector length of simple OpenACC loops.
#pragma once

#include "suite/problem.hpp"

namespace sextant::openacc {

// Sets the vector length: 32 (also GCC's own choice), 64 from 8 Mi elements on, and `largest` from 32 Mi on.
// These values lose the least time on an H200. Below 8 Mi elements, 128 took 1.3 to 2 times as long there.
template <typename Gang, int largest = 128>
void adapt_vector_length(const Problem& problem, Gang& gang) {
  constexpr std::int64_t mi = 1 << 20;
  gang.vector_length = problem.n < 8 * mi ? 32 : problem.n < 32 * mi ? 64 : largest;
}

}  // namespace sextant::openacc
