// dfa: the state of a 16-state finite automaton after every 64th byte of a text. Two kernels differ in their
// table. In dfa_converging all 16 start states lead to one state after about ten bytes; in dfa_permuting they
// always stay distinct.
//
//     s = 0;
//     for (b = 0; b < blocks; ++b) {
//       for (i = 64*b; i < 64*b + 64; ++i) s = table[16*text[i] + s];
//       state[b] = s;
//     }
#pragma once

#include "machine.hpp"

#ifdef __CUDACC__
  #define SEXTANT_DFA_INLINE __host__ __device__ __forceinline__
#else
  #define SEXTANT_DFA_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::dfa {

// Returns the state after `count` bytes, starting from state `from`.
SEXTANT_DFA_INLINE int state_after(const unsigned char* table, const unsigned char* text, std::int64_t count,
                                   int from) {
  for (std::int64_t i = 0; i < count; ++i) from = table[text[i] * 16 + from];
  return from;
}

// Computes the states after blocks `begin` to `end` - 1, where `from` is the state before block `begin`.
SEXTANT_DFA_INLINE int walk(const unsigned char* table, const unsigned char* text, std::int32_t* state,
                            std::int64_t begin, std::int64_t end, int from) {
  for (std::int64_t b = begin; b < end; ++b) {
    from = state_after(table, text + b * block_bytes, block_bytes, from);
    state[b] = from;
  }
  return from;
}

}  // namespace sextant::dfa
