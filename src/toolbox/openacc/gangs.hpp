// How many gangs a region asks for, so that each thread has one iteration of a loop, or some.
#pragma once

#include <cstdint>

namespace sextant::openacc {

inline int gangs_for(std::int64_t iterations, int a_gang) {
  return static_cast<int>((iterations + a_gang - 1) / a_gang);
}

}  // namespace sextant::openacc
