// Prefix sums within a share, the elements of a gang's tile that one warp processes. A share has `rows` rows
// of 32 packs of 16 bytes, one pack per lane. The lanes store one number per pack, a sum or a count, in gang
// memory. Each lane then scans a chunk of consecutive numbers, and the totals of all chunks are scanned.
#pragma once

#include "toolbox/openacc/gang_memory.hpp"

namespace sextant::openacc {

inline constexpr int share_lanes = 32;

template <int rows, typename T>
struct Share {
  // Pack width, row length and share size, in elements.
  static constexpr int width = pack_width<T>, row = share_lanes * width, size = rows * row;
};

// Layout in gang memory: `rows` rows of 32 numbers, one per pack, and `pitch` apart to avoid bank conflicts.
// The totals of the 32 chunks follow, then the sum of all earlier chunks for each chunk.
template <int rows>
struct RoomOfShare {
  static constexpr int pitch = share_lanes + 4, totals = rows * pitch, befores = totals + share_lanes,
                       size = befores + share_lanes;

  static SEXTANT_INLINE int of_pack(int r, int lane) { return r * pitch + lane; }
  static SEXTANT_INLINE int chunk_of(int r, int lane) { return (r * share_lanes + lane) / rows; }
};

// Loads a lane's elements: one pack of each row. `left`: number of elements from the start of the share to
// the end of the array. Elements beyond the end are set to `otherwise`.
template <int rows, typename T>
SEXTANT_INLINE void load_share(const T* from, std::int64_t left, int lane, T otherwise,
                               T (&x)[rows][pack_width<T>]) {
  using Of = Share<rows, T>;
  const T* const mine = from + lane * Of::width;
  if (left >= Of::size) {
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) load_pack(mine + r * Of::row, x[r]);
  } else {
    const auto there = static_cast<int>(left) - lane * Of::width;
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (int k = 0; k < Of::width; ++k)
        x[r][k] = r * Of::row + k < there ? mine[r * Of::row + k] : otherwise;
  }
}

// Replaces the numbers of the lane's chunk by their exclusive prefix sums, and stores the chunk's total.
template <int rows, typename Number>
SEXTANT_INLINE void add_up_chunk(int lane, Number* room) {
  constexpr int of_row = share_lanes / rows;  // number of chunks in a row
  Number* const at = room + lane / of_row * RoomOfShare<rows>::pitch + lane % of_row * rows;
  Number x[rows], sum = 0;
#pragma GCC unroll 16
  for (int k = 0; k < rows; k += pack_width<Number>) load_of_gang(at + k, x + k);
#pragma GCC unroll 16
  for (int k = 0; k < rows; ++k) {
    const Number mine = x[k];
    x[k] = sum;
    sum += mine;
  }
#pragma GCC unroll 16
  for (int k = 0; k < rows; k += pack_width<Number>) store_of_gang(at + k, x + k);
  room[RoomOfShare<rows>::totals + lane] = sum;
}

// Computes the sum of all chunks before the lane's chunk. The totals of all chunks must be complete.
template <int rows, typename Number>
SEXTANT_INLINE void add_up_chunks(int lane, Number* room) {
  Number x[share_lanes], sum = 0;
#pragma GCC unroll 16
  for (int k = 0; k < share_lanes; k += pack_width<Number>)
    load_of_gang(room + RoomOfShare<rows>::totals + k, x + k);
#pragma GCC unroll 32
  for (int k = 0; k < share_lanes - 1; ++k) sum += k < lane ? x[k] : Number(0);
  room[RoomOfShare<rows>::befores + lane] = sum;
}

// Returns the sum over all packs before the lane's pack in row r. All results of add_up_chunks must be there.
template <int rows, typename Number>
SEXTANT_INLINE Number before_pack(int r, int lane, const Number* room) {
  using Room = RoomOfShare<rows>;
  return room[Room::befores + Room::chunk_of(r, lane)] + room[Room::of_pack(r, lane)];
}

}  // namespace sextant::openacc
