// A sum that depends on every byte of memory and on its place, in whatever order it is added up: enough to
// notice that something changed.
#pragma once

#include <cstdint>

namespace sextant {

// What the word with this number, of 8 bytes, adds to it.
constexpr std::uint64_t summand_of(std::uint64_t word, std::uint64_t number) {
  word ^= number * 0x9E3779B97F4A7C15u;
  word ^= word >> 29;
  return word * 0xBF58476D1CE4E5B9u;
}

}  // namespace sextant
