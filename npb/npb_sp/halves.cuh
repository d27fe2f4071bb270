// Where lines lie in shared memory whose systems are solved by two threads, each half of a line from its end on.
#pragma once

#include "lines.hpp"

namespace sextant::npb_sp {

// What is in shared memory at a place of a line: right sides, then of each system what a point adds to the next row
// and to the one before, which factors replace.
enum Slot : int { right = 0, of_systems = 5, slots = 11 };

// Where rows lie: place `at` + k of a half's row k from its end on, so that both halves of a line are walked through alike;
// "before" and "next" are meant from the line's end on.
struct Spot {
  int place;
  bool turned;  // against the line's order
};

// Of L lines. Halves are `pitch` elements apart between lines, so that neither neighbouring lines nor places
// nor a line's halves meet in a bank.
template <int L>
struct Halves {
  static constexpr int across = L;  // lanes between a line's halves
  int inner, first, pitch;          // first: rows of the first half, which has one more where they are odd
  __host__ __device__ explicit constexpr Halves(std::int64_t n)
      : inner(static_cast<int>(n) - 2),
        first((inner + 1) / 2),
        pitch((first - apart + 15) / 16 * 16 + apart) {}
  static __device__ int line_of(int lane) { return lane % L; }
  static __device__ int half_of(int lane) { return lane / L; }
  __host__ __device__ constexpr int of_slot() const { return 2 * L * pitch + 1; }
  __device__ int count(int half) const { return half ? inner - first : first; }
  __device__ int at(int line, int half) const { return half * (L * pitch + 1) + line * pitch; }
  __device__ Spot spot(int line, int row) const {
    const bool turned = row >= first;
    return {at(line, turned) + (turned ? inner - 1 - row : row), turned};
  }
  static constexpr int apart = 16 / L;
};

template <int L>
constexpr std::size_t bytes_of_halves(std::int64_t n) {
  return sizeof(double) * slots * static_cast<std::size_t>(Halves<L>(n).of_slot());
}

}  // namespace sextant::npb_sp
