// A checksum of memory that depends on every byte and its position. The words may be added in any order.
#pragma once

#include <cstdint>

namespace sextant {

// Returns the contribution of the 8-byte word at index `number`. The checksum is the sum of all
// contributions.
constexpr std::uint64_t summand_of(std::uint64_t word, std::uint64_t number) {
  word ^= number * 0x9E3779B97F4A7C15u;
  word ^= word >> 29;
  return word * 0xBF58476D1CE4E5B9u;
}

}  // namespace sextant
