// Packs a score and its state into one word, so that a maximum of words also yields the state. The score is
// in the high bits. The low bits hold the last state's number minus the state, so that among equal scores the
// smallest state wins. Scores are relative to the score of state 0 in the previous step. They differ by less
// than 4000, so words stay below 2^23.
#pragma once

#include "loop.hpp"

namespace sextant::viterbi {

inline constexpr std::int32_t lowest = -(1 << 29);  // less than every packed word

struct Packing {
  std::int32_t bits, last;  // number of bits per state; number of the last state
  SEXTANT_VITERBI_INLINE explicit Packing(std::int64_t states)
      : bits(0), last(static_cast<std::int32_t>(states - 1)) {
    while (last >> bits > 0) ++bits;
  }
  SEXTANT_VITERBI_INLINE std::int32_t above(std::int32_t score) const { return score * (1 << bits); }
  SEXTANT_VITERBI_INLINE std::int32_t word(std::int32_t score, std::int32_t state) const {
    return above(score) + last - state;
  }
  SEXTANT_VITERBI_INLINE std::int32_t score(std::int32_t word) const { return word >> bits; }
  SEXTANT_VITERBI_INLINE std::int32_t state(std::int32_t word) const {
    return last - (word & ((1 << bits) - 1));
  }
};

}  // namespace sextant::viterbi
