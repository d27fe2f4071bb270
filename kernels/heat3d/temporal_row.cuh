// What a thread of `temporal` has of a tile's row, in registers and in shared memory.
#pragma once

#include "point.cuh"
#include "temporal_plan.cuh"

namespace sextant::heat3d {

// Neighbouring points along x.
template <int count, typename T>
struct Points {
  T at[count];
};

// A tile's row in shared memory as a thread sees it. The 16-byte vectors of a 128-byte line are swapped
// within the line, so that neither a warp's accesses to its threads' points nor copies of whole lines or of pairs of
// vectors have bank conflicts.
template <int lane_points, typename T, bool folded>
struct TileRow {
  using Own = Points<lane_points, T>;
  static constexpr int width = warp_lanes * lane_points;
  static constexpr int length = vector_length<T>, vectors = lane_points / length, line = 128 / 16;
  static constexpr bool grouped = folded && vectors > 1;
  static __device__ __forceinline__ int place(int x) {  // of element x of the row
    const int vector = x / length, turn = vector / line % vectors * (grouped && vectors == 2 ? 3 : 1);
    return (vector ^ turn) * length + x % length;
  }
  // The i-th vector that a thread moves from or to global memory is at x = across(i) of the row: neighbouring
  // threads take neighbouring vectors; where several tiles lie side by side, of the points of as many threads as a thread
  // has vectors, so that they stay within their tile.
  static __device__ __forceinline__ int across(int i, int lane) {
    return grouped ? ((lane / vectors * vectors + i) * vectors + lane % vectors) * length
                   : (i * warp_lanes + lane) * length;
  }
  static __device__ __forceinline__ int place_across(int i, int lane) {
    if constexpr (grouped) return place(across(i, lane));
    static_assert(grouped || warp_lanes / line % vectors == 0, "swapped alike in all 32 vectors");
    return i * warp_lanes * length + place(lane * length);
  }

  int own[vectors];  // places of the thread's points
  __device__ explicit TileRow(int lane) {
#pragma unroll
    for (int i = 0; i < vectors; ++i) own[i] = place(lane * lane_points + i * length);
  }
  __device__ __forceinline__ int of_own(int e) const { return own[e / length] + e % length; }
  __device__ __forceinline__ Own get(const T* row) const {
    Own points;
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      const auto part = load<length>(row + own[i]);
#pragma unroll
      for (int e = 0; e < length; ++e) points.at[i * length + e] = part[e];
    }
    return points;
  }
  __device__ __forceinline__ void put(T* row, const Own& points) const {
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      Vector<T, length> part;
#pragma unroll
      for (int e = 0; e < length; ++e) part[e] = points.at[i * length + e];
      *reinterpret_cast<Vector<T, length>*>(row + own[i]) = part;
    }
  }
};

// Adds c[0] * own and the neighbours in the plane, c[k] times each, to sum, or sets it to that. `shown` is the row of own[0]
// in shared memory, which has `before` rows before it and `after` ones after those of `own`.
template <int radius, int rows, bool adds, int count, typename T, bool folded>
__device__ __forceinline__ void sum_in_plane(const TileRow<count, T, folded>& in_row,
                                             const Points<count, T> (&own)[rows], const T* shown, int before,
                                             int after, Points<count, T> (&sum)[rows]) {
  constexpr Coefficients<radius, T> c;
#pragma unroll
  for (int j = 0; j < rows; ++j) {
    T line[count + 2 * radius];
#pragma unroll
    for (int e = 0; e < count; ++e) line[radius + e] = own[j].at[e];
#pragma unroll
    for (int k = 0; k < radius; ++k) {
      line[k] = __shfl_up_sync(~0u, own[j].at[count - radius + k], 1);
      line[count + radius + k] = __shfl_down_sync(~0u, own[j].at[k], 1);
    }
#pragma unroll
    for (int e = 0; e < count; ++e) {
      const T of_own = c.at[0] * own[j].at[e];
      sum[j].at[e] = adds ? sum[j].at[e] + of_own : of_own;
#pragma unroll
      for (int k = 1; k <= radius; ++k)
        sum[j].at[e] += c.at[k] * (line[radius + e - k] + line[radius + e + k]);
    }
  }
#pragma unroll
  for (int i = -radius; i < rows + radius; ++i) {  // row i is loaded once for all that it is a neighbour of
    constexpr auto within = [](int j) { return j >= 0 && j < rows ? j : 0; };
    const Points<count, T> row =
        i >= 0 && i < rows
            ? own[within(i)]
            : in_row.get(shown + min(max(i, -before), rows - 1 + after) * TileRow<count, T, folded>::width);
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      const int k = i < j ? j - i : i - j;
      if (k > 0 && k <= radius)
#pragma unroll
        for (int e = 0; e < count; ++e) sum[j].at[e] += c.at[k] * row.at[e];
    }
  }
}

// sum += c[k] * (below + above), the same points of the planes at distance k.
template <int radius, int count, typename T>
__device__ __forceinline__ void add_beyond(int k, const Points<count, T>& below,
                                           const Points<count, T>& above, Points<count, T>& sum) {
  constexpr Coefficients<radius, T> c;
#pragma unroll
  for (int e = 0; e < count; ++e) sum.at[e] += c.at[k] * (below.at[e] + above.at[e]);
}

}  // namespace sextant::heat3d
