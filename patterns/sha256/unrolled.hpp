// Computes a digest with all rounds unrolled. Round constants are immediate operands, and the last 16 words
// of the schedule stay in registers.
#pragma once

#include "loop.hpp"

#ifdef __CUDACC__
  #define SEXTANT_SHA256_UNROLL _Pragma("unroll")
#else
  #define SEXTANT_SHA256_UNROLL _Pragma("GCC unroll 64")
#endif

namespace sextant::sha256 {

// `message` and `digest` have eight words each and may be the same array. From round 16 on, schedule word t
// replaces word t - 16.
template <typename Word>
SEXTANT_SHA256_INLINE void digest_unrolled(const Word* message, Word* digest) {
  Word w[16];
  SEXTANT_SHA256_UNROLL
  for (int t = 0; t < 16; ++t) w[t] = t < words ? message[t % words] : Word{} + padding(t);
  State<Word> state = initial_state<Word>();
  SEXTANT_SHA256_UNROLL
  for (int t = 0; t < 64; ++t) {
    if (t >= 16)
      w[t % 16] +=
          small_sum(w[(t + 14) % 16], 17, 19, 10) + w[(t + 9) % 16] + small_sum(w[(t + 1) % 16], 7, 18, 3);
    state.round(w[t % 16] + round_constant(t));
  }
  store(state, digest);
}

}  // namespace sextant::sha256
