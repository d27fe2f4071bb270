// Transition functions on the host: byte q of 16 holds the state reached from state q. A byte shuffle
// advances all 16 states at once, faster than a table lookup. Processors without this instruction advance the
// states one by one.
#pragma once

#include <algorithm>
#include <cstring>

#include "loop.hpp"

#ifdef __SSSE3__
  #include <tmmintrin.h>
#endif

namespace sextant::dfa {

#ifdef __SSSE3__
struct Transition {
  __m128i to = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

  static Transition from_state(int state) {
    Transition transition;
    transition.to = _mm_set1_epi8(static_cast<char>(state));
    return transition;
  }
  void step(const unsigned char* table, unsigned char byte) {
    to = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table + 16 * byte)), to);
  }
  int first() const { return _mm_cvtsi128_si32(to) & 0xFF; }
  void store(unsigned char* bytes) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), to); }
  bool one_is_left() const {
    const __m128i same = _mm_cmpeq_epi8(to, _mm_shuffle_epi8(to, _mm_setzero_si128()));
    return _mm_movemask_epi8(same) == 0xFFFF;
  }
};
#else
struct Transition {
  unsigned char to[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  static Transition from_state(int state) {
    Transition transition;
    std::fill(transition.to, transition.to + 16, static_cast<unsigned char>(state));
    return transition;
  }
  void step(const unsigned char* table, unsigned char byte) {
    for (unsigned char& state : to) state = table[16 * byte + state];
  }
  int first() const { return to[0]; }
  void store(unsigned char* bytes) const { std::memcpy(bytes, to, 16); }
  bool one_is_left() const {
    return std::all_of(to, to + 16, [&](unsigned char state) { return state == to[0]; });
  }
};
#endif

// `static` gives each variant its own copy, compiled with that variant's flags.
static inline void step_block(const unsigned char* table, const unsigned char* text, Transition& transition) {
  for (std::int64_t i = 0; i < block_bytes; ++i) transition.step(table, text[i]);
}

// Computes the states after blocks `begin` to `end` - 1 by byte shuffles, where `from` is the state before
// block `begin`.
static inline void walk_blocks(const Task& task, std::int64_t begin, std::int64_t end, int from) {
  Transition transition = Transition::from_state(from);
  for (std::int64_t b = begin; b < end; ++b) {
    step_block(task.table, task.text + b * block_bytes, transition);
    task.state[b] = transition.first();
  }
}

// The index of the first block of chunk t.
constexpr std::int64_t begin_of(std::int64_t blocks, std::int64_t parts, std::int64_t t) {
  return blocks / parts * t + blocks % parts * t / parts;
}

// The transition function of one chunk of text: the final state for each of the 16 start states.
struct PartTransition {
  alignas(64) unsigned char to[64];  // 16 bytes used, padded to a whole cache line
};

}  // namespace sextant::dfa
