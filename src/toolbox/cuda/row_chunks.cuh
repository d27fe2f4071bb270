// Load balancing over rows of different lengths (segments, or rows of a sparse matrix). The elements are
// divided into chunks of about equal size, one per warp. A share is the chunk of one warp, or all chunks of a
// block. Shares start at row starts, except inside long rows, whose partial sums are combined in device
// memory. No row is empty. Row r starts at element row[r]; row[rows] is the number of elements.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "toolbox/cuda/warp.cuh"

namespace sextant::row_chunks {

// Distribution of the elements over shares.
struct Shares {
  int warps, entries;  // warps and elements per share
  // A row that ends at most this many elements after the nominal start of a share belongs to the previous
  // share.
  int most_behind;
  int count;

  Shares(std::int64_t all_entries, int warps_of_share, int chunk)
      : warps(warps_of_share),
        entries(warps * chunk),
        most_behind(warps > 1 ? entries : entries / 4),
        count(static_cast<int>((all_entries + entries - 1) / entries)) {}
  int chunks() const { return count * warps; }
};

// Start of a chunk: an element and its row. Bit 31 of `bits` is set if the element is inside a row, not at
// its start. The other bits are the row.
struct Start {
  int entry;
  unsigned bits;
  static constexpr unsigned inside_bit = 1u << 31;

  __device__ __forceinline__ bool inside() const { return bits & inside_bit; }
  __device__ __forceinline__ int row() const { return static_cast<int>(bits & ~inside_bit); }
};

static __global__ void mark_ends(int rows, const std::int32_t* row, unsigned* ends) {
  const int r = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (r >= rows) return;
  const int last = row[r + 1] - 1;
  atomicOr(&ends[last / 32], 1u << last % 32);
}

// Returns the start of a chunk at element `entry`. If at most `most_behind` elements of the row are left
// there, the chunk starts after that row.
__device__ inline Start start_at(std::int64_t entry, int most_behind, int rows, int entries,
                                 const std::int32_t* row) {
  if (entry >= entries) return {entries, static_cast<unsigned>(rows)};
  const int at = static_cast<int>(entry);
  int r = 0;  // the first row that ends after element `entry`
  for (int high = rows - 1; r < high;) {
    const int middle = (r + high) / 2;
    if (row[middle + 1] > at)
      high = middle;
    else
      r = middle + 1;
  }
  if (row[r] == at) return {at, static_cast<unsigned>(r)};
  if (row[r + 1] - at <= most_behind) return {row[r + 1], static_cast<unsigned>(r + 1)};
  return {at, static_cast<unsigned>(r) | Start::inside_bit};
}

static __global__ void find_starts(Shares shares, int rows, int entries, const std::int32_t* row,
                                   Start* starts) {
  const int s = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (s > shares.count * shares.warps) return;
  const int b = s / shares.warps, w = s % shares.warps;
  const auto of_share = [&](int share) {
    return start_at(std::int64_t{share} * shares.entries, shares.most_behind, rows, entries, row);
  };
  const Start begin = of_share(b);
  if (w == 0) {
    starts[s] = begin;
    return;
  }
  const Start end = of_share(b + 1);
  const int each = (end.entry - begin.entry + shares.warps - 1) / shares.warps;
  const Start start = start_at(begin.entry + std::int64_t{w} * each, each / 4, rows, entries, row);
  starts[s] = start.entry < end.entry ? start : end;
}

// Combines the partial sums of row r, which extends over several shares. A whole warp calls it after storing
// its share's partial sum: parts[2 b] for the row that continues into share b, parts[2 b + 1] for the row
// that continues after share b. The last caller for the row writes the sum to `to`. done[b] counts the
// finished shares of the row that starts in share b. It is 0 between launches.
template <typename T>
__device__ void finish(const std::int32_t* row, const T* parts, int* done, const Shares& shares, int r,
                       T* to) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int first = __ldg(row + r) / shares.entries,
            end = (__ldg(row + r + 1) - 1 - shares.most_behind) / shares.entries;
  __syncwarp();
  int last = 0;
  if (lane == 0) {
    __threadfence();
    last = atomicAdd(&done[first], 1) == end - first;
    if (last) done[first] = 0;
    __threadfence();
  }
  if (!__shfl_sync(~0u, last, 0)) return;
  T sum = 0;
  for (int b = first + lane; b <= end; b += 32) sum += __ldcg(parts + 2 * b + (b == first));
  sum = warp_sum(sum);
  if (lane == 0) *to = sum;
}

}  // namespace sextant::row_chunks
