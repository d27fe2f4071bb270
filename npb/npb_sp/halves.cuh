// Where lines lie in shared memory: cut into spans with two rows, a separator, between them, and each span into two halves, from
// its ends to its middle.
#pragma once

#include "lines.hpp"

namespace sextant::npb_sp {

// What is in shared memory at a place of a line: right sides, then of each system what a point adds to the next row
// and to the one before, which factors replace.
enum Slot : int { right = 0, of_systems = 5, slots = 11 };

// Where rows lie: place `at` + k of a half's row k from its end on, so that both halves of a span are walked through alike;
// "before" and "next" are meant from the span's end on.
struct Spot {
  int place;
  bool turned;  // against the line's order
};

// Of lines in H halves. All but the first and the last one have `of_half` rows, an even number, and a separator beside their
// first row. A line's rows lie in its order, but those of a span's second half the other way round.
template <int L, int H>
struct Halves {
  static constexpr int spans = H / 2, least = 2 * H + 2 * (spans - 1);  // rows
  static constexpr int across = 1;                                      // lanes between a span's halves
  int inner;                                                            // rows
  int of_half, ends;  // of each half but the first and the last one, and of these two together
  int pitch;          // places of a line
  __host__ __device__ explicit constexpr Halves(std::int64_t n)
      : inner(static_cast<int>(n) - 2),
        of_half((inner - 2 * (spans - 1)) / H / 2 * 2),
        ends(inner - 2 * (spans - 1) - (H - 2) * of_half),
        pitch(inner | 1) {}
  static __device__ int line_of(int lane) { return lane / H; }
  static __device__ int half_of(int lane) { return lane % H; }
  __host__ __device__ constexpr int first() const { return (ends + 1) / 2; }
  __host__ __device__ constexpr int period() const { return 2 * of_half + 2; }
  __host__ __device__ constexpr int of_slot() const { return L * pitch; }
  __device__ int count(int half) const { return half == 0 ? first() : half == H - 1 ? ends / 2 : of_half; }
  __device__ int at(int line, int half) const {
    if (half == 0) return line * pitch;
    const int turned = line * pitch + first() + half / 2 * period();
    return half % 2 ? turned : turned - of_half;
  }
  __device__ Spot spot(int line, int row) const {
    const int beyond = row - first(), span = min(beyond / period(), spans - 1),
              in_span = beyond - span * period(), rows = count(2 * span + 1);
    const bool turned = beyond >= 0 && in_span < rows;
    return {turned ? at(line, 2 * span + 1) + rows - 1 - in_span : line * pitch + row, turned};
  }
};

// Of lines that are one span. Halves are `pitch` elements apart between lines, so that neither neighbouring lines nor places
// nor a line's halves meet in a bank.
template <int L>
struct Halves<L, 2> {
  static constexpr int least = 1, across = L;
  int inner, first, pitch;  // first: rows of the first half, which has one more where they are odd
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

template <int L, int H>
constexpr std::size_t shared_bytes(std::int64_t n) {
  return sizeof(double) * slots * static_cast<std::size_t>(Halves<L, H>(n).of_slot());
}

}  // namespace sextant::npb_sp
