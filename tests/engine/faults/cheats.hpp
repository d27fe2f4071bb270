// Variants that do not do, call by call, the work they are timed for; and honest ones that resemble them.
#pragma once

#include <cmath>
#include <vector>

#include "suite/variant.hpp"

namespace sextant {

// Kernel "costly": 128 operations an element, so that a copy of an answer is far faster than the answer.
inline constexpr int costly_steps = 64;
template <typename T>
#ifdef __CUDACC__
__host__
    __device__
#endif
        T
        costly(T a) {
  T x = a;
  for (int i = 0; i < costly_steps; ++i) x = x * T(0.5) + a;
  return x;
}

// Whether an output holds neither NaN nor what else marks it as not written.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline bool
    is_written(float value) {
  return fabsf(value) < 1e30f;
}

std::vector<Variant> cuda_cheats();  // none without CUDA

// Registers kernel "costly" with serial cheats, and cuda ones.
void add_cheats();

}  // namespace sextant
