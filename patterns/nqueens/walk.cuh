// A lane's search without a branch, so that the lanes of a warp never go different ways: a queen is put, and what follows of it is
// chosen by predicates. Rows wait in shared memory; below the lowest of a lane lies a mark, which is what the lane finds when nothing is
// left: a row with no column free and queens that no board has, which changes nothing and comes again and again.
#pragma once

#include "boards.cuh"

namespace sextant::nqueens {

// Rows of 16 bytes, or of 8 for boards of at most 15 columns.
template <int bytes>
struct Waiting;

template <>
struct Waiting<16> {
  static constexpr Set mark = ~Set{0};

  static __device__ __forceinline__ void push_if(bool wanted, int at, const Row& row) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %5, 0; @p st.shared.v4.u32 [%0], {%1, %2, %3, %4}; }" ::"r"(at),
        "r"(row.columns), "r"(row.left), "r"(row.right), "r"(row.free), "r"(static_cast<unsigned>(wanted))
        : "memory");
  }
  static __device__ __forceinline__ void pop_if(bool wanted, int at, Row& row) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0; @p ld.shared.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "+r"(row.columns), "+r"(row.left), "+r"(row.right), "+r"(row.free)
                 : "r"(at), "r"(static_cast<unsigned>(wanted))
                 : "memory");
  }
};

template <>
struct Waiting<8> {
  static constexpr Set mark = 0xFFFF;

  static __device__ __forceinline__ void push_if(bool wanted, int at, const Row& row) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p st.shared.v2.u32 [%0], {%1, %2}; }" ::"r"(at),
                 "r"(__byte_perm(row.columns, row.free, 0x5410)),
                 "r"(__byte_perm(row.left, row.right, 0x5410)), "r"(static_cast<unsigned>(wanted))
                 : "memory");
  }
  static __device__ __forceinline__ void pop_if(bool wanted, int at, Row& row) {
    unsigned low = 0, high = 0;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.shared.v2.u32 {%0, %1}, [%2]; }"
                 : "+r"(low), "+r"(high)
                 : "r"(at), "r"(static_cast<unsigned>(wanted))
                 : "memory");
    if (wanted) row = {low & 0xFFFF, high & 0xFFFF, high >> 16, low >> 16};
  }
};

template <int bytes>
struct Walk {
  using Rows = Waiting<bytes>;
  Row row = {Rows::mark, 0, 0, 0};
  std::int32_t ways = 0;
  // Addresses in shared memory: of the first level, of the mark, of the highest row. Signed, as what lies below may be none.
  int first, step, bottom, top;

  // `levels` are the block's; every lane has a place in each.
  __device__ __forceinline__ Walk(const uint4* levels, int block)
      : first(static_cast<int>(__cvta_generic_to_shared(levels)) + static_cast<int>(threadIdx.x) * bytes),
        step(block * bytes),
        bottom(first),
        top(first) {
    Rows::push_if(true, first, row);
  }

  __device__ __forceinline__ bool ended() const { return row.columns == Rows::mark; }
  __device__ __forceinline__ bool has_waiting() const { return top != bottom; }

  __device__ __forceinline__ void begin(const Row& with) {
    row = with, ways = 0;
    bottom = top = first;
  }

  // One queen, if there is one to put.
  __device__ __forceinline__ void advance(Set all) {
    const Row below = place(all, row);
    ways += below.columns == all;
    const bool down = below.free != 0, waits = row.free != 0, back = !down && !waits;
    Rows::push_if(down && waits, top + step, row);
    row = {down ? below.columns : row.columns, down ? below.left : row.left, down ? below.right : row.right,
           down ? below.free : row.free};
    Rows::pop_if(back, top, row);
    top = down && waits ? top + step : back ? max(top - step, bottom) : top;
  }
};

// Bytes of shared memory: a level for each row that is left, and the mark's.
template <int bytes>
std::size_t levels_bytes(const Boards& boards, int block) {
  return std::size_t{bytes} * static_cast<std::size_t>((boards.rows + 1) * block);
}

}  // namespace sextant::nqueens
