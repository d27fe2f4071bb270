// The layout and the lengths of the kernel's arrays. Sixteen 32-bit words of text form a block of 64 bytes.
// The state after each block is stored.
#pragma once

#include <cstdint>

#include "suite/variant.hpp"

namespace sextant::dfa {

inline constexpr std::int64_t states = 16, symbols = 256;
inline constexpr std::int64_t table_words = states * symbols / 4;
inline constexpr std::int64_t block_words = 16, block_bytes = 64;

enum Kind : std::int64_t { converging, permuting };  // values of Problem::parameters[0]

constexpr std::int64_t words_of(const Problem& problem) { return problem.extents.x; }
constexpr std::int64_t blocks_of(const Problem& problem) { return problem.extents.x / block_words; }

// The arrays of one call. A 32-bit word holds four bytes, the first in its lowest bits.
struct Task {
  const unsigned char* table;  // table[16 * byte + q] is the successor of state q for an input byte
  const unsigned char* text;
  std::int32_t* state;  // state after each block of text
  std::int64_t blocks;

  explicit Task(const Call& call)
      : table(call.array<const unsigned char>(0)),
        text(call.array<const unsigned char>(1)),
        state(call.array<std::int32_t>(2)),
        blocks(blocks_of(call.problem)) {}
};

}  // namespace sextant::dfa
