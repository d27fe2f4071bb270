// Parts of the text for compilers that offload: a thread finds where one state before a part leads; the host
// goes from part to part, which is a lookup for each; then a thread walks a part from the state that is
// right.
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

// As many parts as there are blocks at most.
inline std::int64_t parts_of(const Problem& problem, const Parts& shape) {
  return std::clamp<std::int64_t>(blocks_of(problem), 1, shape.chunks);
}

// What a launch leaves between its regions, of which each part has 16 bytes and one: where states lead, and
// the state before it.
inline std::int64_t bytes_between(const Problem& problem, const Parts& shape) {
  return parts_of(problem, shape) * (states + 1);
}

// Parts are of as many blocks, but for the last ones.
SEXTANT_DFA_INLINE std::int64_t begin_of_part(std::int64_t blocks, std::int64_t parts, std::int64_t part) {
  const std::int64_t each = (blocks + parts - 1) / parts;
  return part * each < blocks ? part * each : blocks;
}

// Where state `job % 16` before part `job / 16` leads.
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
