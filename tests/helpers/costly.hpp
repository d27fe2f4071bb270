// Provides the computation for tests of cheats, on the host and on a GPU. It includes nothing, because NVRTC
// has no headers.
#pragma once

#ifdef __CUDACC__
  #define CHEATING_ANYWHERE __host__ __device__
#else
  #define CHEATING_ANYWHERE
#endif

namespace cheating {

constexpr int costly_steps = 64;

// Returns 2a after 128 operations, so that copying an answer is much faster than computing it. More steps
// give the same result.
template <typename T>
CHEATING_ANYWHERE T costly(T a, int steps = costly_steps) {
  T x = a;
  for (int i = 0; i < steps; ++i) x = x * T(0.5) + a;
  return x;
}

// True if the value is neither NaN nor the large number that marks unwritten outputs.
template <typename T>
CHEATING_ANYWHERE bool is_written(T value) {
  return value < T(1e30) && value > T(-1e30);
}

}  // namespace cheating
