// A matrix's entries in stretches of about as many for each warp, whatever the rows are, as prepare cuts them. A share is a warp's
// stretch or those of a block's warps; it begins where a row does, but for rows that go on for long. Sums of rows that several warps of a
// share have are made in shared memory, of those that several shares have in device memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "entries.cuh"
#include "toolbox/carving.hpp"
#include "toolbox/cuda/stretches.cuh"

namespace sextant::spmv {

using stretches::Shares;
using stretches::Start;

// Of device memory. No row of these matrices is empty, so that the bits of ends count rows.
template <typename T>
struct Plan {
  T* parts;  // what share b has of the row it begins inside of: parts[2 b]; of the one it ends inside of: parts[2 b + 1]
  unsigned* ends;  // bit e % 32 of word e / 32: entry e is its row's last
  Start* starts;   // of all stretches; the matrix's end
  int* done;    // shares that have left their part of the row that begins in share b and does not end there
  int* window;  // the first column of a window of x; how often each window's columns are asked for
  std::int64_t bytes = 0;

  Plan(const Problem& problem, const Shares& shares, int windows, const void* memory) {
    Carving room(memory);
    room.take(parts, 2 * std::int64_t{shares.count});
    room.take(ends, entries_of(problem) / 32 + 1);
    room.take(starts, std::int64_t{shares.stretches()} + 1);
    room.take(done, shares.count);
    room.take(window, 1 + windows);
    bytes = room.bytes();
  }
};

// A warp on its way: the row that its next entry is of, and what the entries so far have of it.
template <typename T>
struct Walk {
  int row;
  T carry = 0;
  int inside;  // the row that an earlier stretch began, whose sum is left in `part`; or none
  T *part, *y;

  __device__ __forceinline__ void put(int r, T sum) const {
    if (r == inside)
      *part = sum;
    else
      y[r] = sum;
  }

  // One vector of products a lane; bit k of `ends`: element k is its row's last.
  __device__ __forceinline__ void add(const Vector<T, width>& products, unsigned ends) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const unsigned below = (1u << lane) - 1, ended = __ballot_sync(~0u, ends != 0);
    T sum = 0;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      sum += products[k];
      if (ends >> k & 1) sum = 0;
    }
    const unsigned upto = ended & (below | 1u << lane);
    const int first =
        upto ? 31 - __clz(static_cast<int>(upto)) : 0;  // of the lanes whose sums belong to this one's
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const T before = __shfl_up_sync(~0u, sum, step);
      if (lane - step >= first) sum += before;
    }
    T before = __shfl_up_sync(~0u, sum, 1);
    if (lane == 0) before = 0;
    if (!(ended & below)) before += carry;
    carry = __shfl_sync(~0u, sum, 31) + (ended ? T(0) : carry);
    int r = row;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const unsigned all = __ballot_sync(~0u, ends >> k & 1);
      r += __popc(all & below);
      row += __popc(all);
    }
#pragma unroll
    for (int k = 0; k < width; ++k) {
      before += products[k];
      if (ends >> k & 1) {
        put(r++, before);
        before = 0;
      }
    }
  }
};

// By a warp that has share s alone, and whose sums of rows in it are made.
template <typename T>
__device__ void finish_alone(const Matrix<T>& a, const Plan<T>& plan, const Shares& shares, int s,
                             const Walk<T>& walk, T* y) {
  const Start from = plan.starts[s], to = plan.starts[s + 1];
  const bool begun_before =
      from.inside() && walk.row == from.row();  // and goes on behind: all of the share is one row's
  if (threadIdx.x % 32 == 0) {
    if (begun_before) plan.parts[2 * s] = walk.carry;
    if (to.inside() && !begun_before) plan.parts[2 * s + 1] = walk.carry;
  }
  if (from.inside()) stretches::finish(a.row, plan.parts, plan.done, shares, from.row(), y + from.row());
  if (to.inside() && !begun_before)
    stretches::finish(a.row, plan.parts, plan.done, shares, to.row(), y + to.row());
}

// What a share's warps leave in shared memory.
template <int warps, typename T>
struct Left {
  T head[warps],
      rest[warps];    // of the row that each began inside of and ended; of the one that it did not end
  int row[warps];     // that each began inside of and ended; or -1
  bool ended[warps];  // any row, or began where one does: its rest has nothing of warps before

  __device__ __forceinline__ void take(int w, const Start& from, const Walk<T>& walk) {
    const bool any = walk.row > from.row();
    rest[w] = walk.carry;
    ended[w] = any || !from.inside();
    row[w] = from.inside() && any ? from.row() : -1;
  }
};

// By a warp: sums of the rows that warps of share b have together.
template <int warps, typename T>
__device__ void add_up(const Matrix<T>& a, const Plan<T>& plan, const Shares& shares, int b,
                       const Left<warps, T>& left, T* y) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const Start from = plan.starts[b * warps], to = plan.starts[(b + 1) * warps];
  const int inside = from.inside() ? from.row() : -1;
  T sum = lane < warps ? left.rest[lane] : T(0);
  const unsigned ended = __ballot_sync(~0u, lane < warps && left.ended[lane]),
                 upto = ended & ~0u >> (31 - lane);
  const int first = upto ? 31 - __clz(static_cast<int>(upto)) : 0;
#pragma unroll
  for (int step = 1; step < warps; step *= 2) {
    const T before = __shfl_up_sync(~0u, sum, step);
    if (lane - step >= first) sum += before;
  }
  const T before = __shfl_up_sync(~0u, sum, 1);
  if (lane < warps && left.row[lane] >= 0) {
    const T all = left.head[lane] + (lane > 0 ? before : T(0));
    if (left.row[lane] == inside)
      plan.parts[2 * b] = all;
    else
      y[left.row[lane]] = all;
  }
  const bool begun_before = from.inside() && ended == 0;  // and goes on behind: all of the share is one row's
  if (to.inside() && lane == warps - 1) plan.parts[2 * b + !begun_before] = sum;
  if (from.inside()) stretches::finish(a.row, plan.parts, plan.done, shares, inside, y + inside);
  if (to.inside() && !begun_before)
    stretches::finish(a.row, plan.parts, plan.done, shares, to.row(), y + to.row());
}

// How often windows of `columns` columns are asked for, by samples.
static __global__ void count_windows(int samples, int step, int columns, const std::int32_t* col,
                                     int* counts) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < samples) atomicAdd(&counts[col[std::int64_t{i} * step] / columns], 1);
}
static __global__ void choose_window(int windows, int columns, int* window) {
  int best = 0;
  for (int w = 1; w < windows; ++w)
    if (window[1 + w] > window[1 + best]) best = w;
  *window = best * columns;
}

// x, of which a window may lie in shared memory.
template <bool windowed, typename T>
struct Source {
  const T *x, *near;
  int begin, columns;  // of the window

  __device__ __forceinline__ T operator()(int column) const {
    if constexpr (windowed) {
      const auto i = static_cast<unsigned>(column - begin);
      if (i < static_cast<unsigned>(columns)) return near[i];
    }
    return __ldg(x + column);
  }
};

template <typename T>
__device__ void load_window(const T* from, int columns, T* near) {
  constexpr int w = vector_length<T>;
  for (int i = static_cast<int>(threadIdx.x) * w; i < columns; i += static_cast<int>(blockDim.x) * w) {
    if (i + w <= columns)
      *reinterpret_cast<uint4*>(near + i) = __ldg(reinterpret_cast<const uint4*>(from + i));
    else
      for (int k = i; k < columns; ++k) near[k] = from[k];
  }
}

}  // namespace sextant::spmv
