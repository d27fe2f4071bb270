// Splits the text into chunks, for OpenACC and OpenMP offload. First, each thread computes the final state of
// one chunk for one start state. Then the host finds each chunk's true start state. Last, each thread
// computes the states within a chunk.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "loop.hpp"

namespace sextant::dfa {

struct Parts {
  int chunks = 16384;
};
inline const std::vector<int> part_counts = {256, 1024, 4096, 16384, 65536};

// The number of chunks, at most one per 64-byte block of text.
inline std::int64_t parts_of(const Problem& problem, const Parts& shape) {
  return std::clamp<std::int64_t>(blocks_of(problem), 1, shape.chunks);
}

// Size in bytes of the data between the two regions: for each chunk its 16 final states and its true start
// state.
inline std::int64_t bytes_between(const Problem& problem, const Parts& shape) {
  return parts_of(problem, shape) * (states + 1);
}

// The first 64-byte block of a chunk. All chunks have the same number of blocks, except the last ones.
SEXTANT_DFA_INLINE std::int64_t begin_of_part(std::int64_t blocks, std::int64_t parts, std::int64_t part) {
  const std::int64_t each = (blocks + parts - 1) / parts;
  return part * each < blocks ? part * each : blocks;
}

// Computes the final state of chunk `job / 16` for start state `job % 16`.
SEXTANT_DFA_INLINE void find_end(std::int64_t blocks, std::int64_t parts, const unsigned char* table,
                                 const unsigned char* text, unsigned char* ends, std::int64_t job) {
  const std::int64_t part = job / states, begin = begin_of_part(blocks, parts, part),
                     end = begin_of_part(blocks, parts, part + 1);
  ends[job] = static_cast<unsigned char>(state_after(
      table, text + begin * block_bytes, (end - begin) * block_bytes, static_cast<int>(job % states)));
}

SEXTANT_DFA_INLINE void walk_part(std::int64_t blocks, std::int64_t parts, const unsigned char* table,
                                  const unsigned char* text, const unsigned char* begins, std::int32_t* state,
                                  std::int64_t part) {
  walk(table, text, state, begin_of_part(blocks, parts, part), begin_of_part(blocks, parts, part + 1),
       begins[part]);
}

inline void choose(std::int64_t parts, const unsigned char* ends, unsigned char* begins) {
  begins[0] = 0;
  for (std::int64_t part = 1; part < parts; ++part)
    begins[part] = ends[states * (part - 1) + begins[part - 1]];
}

}  // namespace sextant::dfa
