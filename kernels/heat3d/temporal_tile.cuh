// A block's tile in the variant `temporal`: how a thread stores, loads and computes its points of a plane.
#pragma once

#include <cuda_pipeline.h>

#include "march.cuh"
#include "point.cuh"
#include "temporal_plan.cuh"

// A thread's points in a row of a tile, in registers and in shared memory.
namespace sextant::heat3d {

// Consecutive points along x in registers.
template <int count, typename T>
struct Points {
  T at[count];
};

// A tile's row in shared memory as seen by a thread. The 16-byte vectors of a 128-byte line are permuted
// within the line. This avoids bank conflicts when the threads of a warp access their own points, and when
// they copy whole lines or pairs of vectors.
template <int points_per_lane, typename T, bool folded>
struct TileRow {
  using Own = Points<points_per_lane, T>;
  static constexpr int width = warp_lanes * points_per_lane;
  static constexpr int length = vector_length<T>, vectors = points_per_lane / length, line = 128 / 16;
  static constexpr bool grouped = folded && vectors > 1;
  static __device__ __forceinline__ int place(int x) {  // position of element x of the row in shared memory
    const int vector = x / length, turn = vector / line % vectors * (grouped && vectors == 2 ? 3 : 1);
    return (vector ^ turn) * length + x % length;
  }
  // Returns the x of the i-th vector that a thread moves from or to global memory. Neighbouring threads move
  // neighbouring vectors. For side-by-side tiles, the threads form groups, with as many threads as a thread
  // has vectors. A group moves only its own points, so that accesses stay within a tile.
  static __device__ __forceinline__ int across(int i, int lane) {
    return grouped ? ((lane / vectors * vectors + i) * vectors + lane % vectors) * length
                   : (i * warp_lanes + lane) * length;
  }
  static __device__ __forceinline__ int place_across(int i, int lane) {
    if constexpr (grouped) return place(across(i, lane));
    static_assert(grouped || warp_lanes / line % vectors == 0, "swapped alike in all 32 vectors");
    return i * warp_lanes * length + place(lane * length);
  }

  int own[vectors];  // positions of the thread's points in shared memory
  __device__ explicit TileRow(int lane) {
#pragma unroll
    for (int i = 0; i < vectors; ++i) own[i] = place(lane * points_per_lane + i * length);
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

// Adds c[0] * own and c[k] * the neighbours within the plane to `sum`. If `adds` is false, it assigns them
// instead. `shown` is the row of own[0] in shared memory. `before` rows precede the rows of `own` there, and
// `after` rows follow them.
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
  // Row i is loaded once and added to all rows whose neighbour it is.
  for (int i = -radius; i < rows + radius; ++i) {
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

// Adds c[k] * (below + above) to `sum`; `below` and `above` are the same points in the planes at distance k.
template <int radius, int count, typename T>
__device__ __forceinline__ void add_beyond(int k, const Points<count, T>& below,
                                           const Points<count, T>& above, Points<count, T>& sum) {
  constexpr Coefficients<radius, T> c;
#pragma unroll
  for (int e = 0; e < count; ++e) sum.at[e] += c.at[k] * (below.at[e] + above.at[e]);
}

// A block's tile in `temporal`: the points of it that a thread computes, and the operations on a plane.

// Compile-time parameters of a kernel. `whole`: the row length is a multiple of a thread's points; otherwise
// a row may end within a thread's points. `any_pitch`: rows of u and v may be unaligned for vectors.
template <int radius_, int steps_, int rows_, int points_per_lane_, bool whole_, bool folded_ = false,
          bool any_pitch_ = false>
struct Fusion {
  static constexpr int radius = radius_, steps = steps_, rows = rows_, points_per_lane = points_per_lane_;
  static constexpr bool whole = whole_, folded = folded_, any_pitch = any_pitch_;
  // The kernel for blocks that may have several tiles side by side.
  using Folded = Fusion<radius, steps, rows_when_folded(radius, steps, rows, points_per_lane),
                        points_per_lane, whole, true, any_pitch>;
  // number of planes by which the last stage trails the first
  static constexpr int lag = (steps - 1) * radius;
  static constexpr int kept = planes_kept(radius, steps), ahead = planes_ahead(radius, steps),
                       ring = ring_planes(radius, steps);
  // Options that minimise register spills. `turns_kept`: the planes that stage 1 keeps are renamed by
  // unrolling, not moved. `beyond_first`: contributions of other planes are summed before those of the plane
  // itself.
  template <typename T>
  static constexpr bool turns_kept = radius == 3 && steps == 1 && rows == 2 && points_per_lane == 8 &&
                                     sizeof(T) == 4;
  template <typename T>
  static constexpr bool beyond_first = steps == 1 && !turns_kept<T>;
};

// A tile as seen by one thread. In a slot of the ring buffer, its rows begin R rows before the first row that
// it computes. `origin` is the x at which a shared-memory row would begin if it belonged entirely to the
// thread's tile.
template <typename F, typename T>
struct Tile {
  using Row = TileRow<F::points_per_lane, T, F::folded>;
  using Own = Points<F::points_per_lane, T>;
  static constexpr int radius = F::radius, rows = F::rows, points_per_lane = F::points_per_lane, lag = F::lag;
  // True if a thread keeps the offsets of its rows in global memory in registers. Only these kernels have
  // registers left.
  static constexpr bool remembers = F::steps == 1 && radius > 2 && sizeof(T) == 4;
  const Box box;
  const int lane, warp, height;  // height: rows of the tile
  const int begin, end;
  int top, origin, width;  // width: points along x of the thread's tile
  int x, y;                // coordinates in the box of the thread's first point
  // Mask of the thread's points on the boundary along x; used if F::whole is false.
  unsigned rim;
  int pitch_of_v;  // row pitch of v; that of u is box.pitch
  const Row in_row;

  // The warp number is computed by a shuffle. The compiler then knows that it is uniform across lanes and
  // keeps dependent values in uniform registers.
  __device__ Tile(const Box& whole_box, const Tiles& tiles, const Piece& piece)
      : Tile(whole_box, tiles, piece, whole_box.pitch) {}
  __device__ Tile(const Box& whole_box, const Tiles& tiles, const Piece& piece, int row_pitch_of_v)
      : box(whole_box),
        lane(static_cast<int>(threadIdx.x)),
        warp(__shfl_sync(~0u, static_cast<int>(threadIdx.y), 0)),
        height(static_cast<int>(blockDim.y) * rows),
        begin(piece.first),
        end(piece.last),
        pitch_of_v(F::any_pitch ? row_pitch_of_v : whole_box.pitch),
        in_row(lane) {
    const TilePlace<F::folded> place(tiles, piece.tile, lane, box.y);
    top = place.top;
    origin = place.left - place.segment * place.width;
    width = place.width;
    x = origin + lane * points_per_lane;
    y = top + warp * rows;
    rim = 0;
#pragma unroll
    for (int e = 0; e < (F::whole ? 0 : points_per_lane); ++e)
      rim |= unsigned{in_rim<radius>(x + e, box.x)} << e;
  }

  // Returns the offset in a plane of row `row` of the tile with halo. For rows outside the box it returns an
  // arbitrary row in the box.
  __device__ __forceinline__ std::int64_t row_at(int row) const {
    return min(max(top - radius + row, 0), box.y - 1) * static_cast<std::int64_t>(box.pitch) + origin;
  }

  // Sets the offsets of the rows that this warp copies; they fit in an int, because a plane has at most 2^31
  // points.
  __device__ __forceinline__ void find_rows(int (&rows_at)[rows + 1]) const {
#pragma unroll
    for (int j = 0; j <= rows; ++j)
      rows_at[j] = static_cast<int>(row_at(warp + j * static_cast<int>(blockDim.y)));
  }

  // Loads the thread's points from shared memory; their first row begins at `row`.
  __device__ __forceinline__ void take(const T* row, Own (&points)[rows]) const {
#pragma unroll
    for (int j = 0; j < rows; ++j) points[j] = in_row.get(row + j * Row::width);
  }

  // Returns true if rows of this pitch are not aligned for vectors.
  static __device__ __forceinline__ bool is_odd(int pitch) {
    return F::any_pitch && pitch % Row::length != 0;
  }

  // Returns the position of the i-th point of a row that a thread moves singly. Neighbouring threads of a
  // tile move neighbouring points.
  __device__ __forceinline__ int point_across(int i) const {
    const int lanes = F::folded ? width / points_per_lane : warp_lanes;
    return (lane & -lanes) * points_per_lane + i * lanes + (lane & (lanes - 1));
  }

  // Starts copying a row from global memory, where `row` is its first element, to a row of a ring-buffer
  // slot.
  __device__ __forceinline__ void copy_row(const T* row, T* slot) const {
    if (is_odd(box.pitch)) {
#pragma unroll 1
      for (int i = 0; i < points_per_lane; ++i)
        if (const int at = point_across(i); origin + at < box.x)
          __pipeline_memcpy_async(slot + Row::place(at), row + at, sizeof(T));
      return;
    }
#pragma unroll
    for (int i = 0; i < Row::vectors; ++i)
      if (const int at = Row::across(i, lane); origin + at < box.x)
        __pipeline_memcpy_async(slot + Row::place_across(i, lane), row + at, 16);
  }

  // Starts copying this warp's rows of plane z and its halo; `rows_at` has their offsets. Skips planes that
  // do not exist or that the block does not need.
  __device__ __forceinline__ void fetch(const T* u, int z, const int (&rows_at)[rows + 1], T* slot) const {
    if (z < 0 || z < begin - lag - radius || z >= min(end + lag + radius, box.z)) return;
    fetch_plane(u, z, rows_at, slot);
  }
  __device__ __forceinline__ void fetch_plane(const T* u, int z, const int (&rows_at)[rows + 1],
                                              T* slot) const {
    const T* const plane = u + z * box.plane;
    const int warps = static_cast<int>(blockDim.y), all = height + 2 * radius;
    // Each warp also copies one row of the halo, or a few more.
    constexpr int known = remembers ? rows + 1 : rows;
#pragma unroll
    for (int j = 0; j < known; ++j)
      if (const int row = warp + j * warps; j < rows || row < all)
        copy_row(plane + (remembers ? rows_at[j] : row_at(row)), slot + row * Row::width);
    if (!remembers || warps < 2 * radius)
      for (int row = warp + known * warps; row < all; row += warps)
        copy_row(plane + row_at(row), slot + row * Row::width);
  }

  // Returns true if stage k (from 0) computes its plane while the first stage is at plane z. The block must
  // need that plane, and it must not lie on the boundary. Other planes pass through unchanged.
  __device__ __forceinline__ bool computes(int k, int z) const {
    const int reach = (F::steps - 1 - k) * radius, at = z - k * radius;
    return at >= max(begin - reach, radius) && at < min(end + reach, box.z - radius);
  }

  // Returns the range of the first stage's planes that need no special cases. In this range every stage
  // computes and a plane is stored. The plane to fetch exists and is needed.
  __device__ __forceinline__ Range steady_planes() const {
    return {lag + max(begin, radius), min(end + lag, box.z - radius) - F::ahead};
  }

  __device__ __forceinline__ void keep_rim(const Own (&own)[rows], Own (&sum)[rows]) const {
    const bool first = x == 0, last = x + points_per_lane == box.x;
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int e = 0; e < points_per_lane; ++e)
        if (F::whole ? (first && e < radius) || (last && e >= points_per_lane - radius) : (rim >> e & 1) != 0)
          sum[j].at[e] = own[j].at[e];
    if (y < radius || y + rows > box.y - radius)
#pragma unroll
      for (int j = 0; j < rows; ++j)
        if (in_rim<radius>(y + j, box.y)) sum[j] = own[j];
  }

  // Computes one step of a plane from `own`; `shown`, `before` and `after` are as in sum_in_plane. beyond(d,
  // j, sum) must add the points d planes below and above to row j.
  template <typename Beyond>
  __device__ __forceinline__ void advance(bool computes, const Own (&own)[rows], const T* shown, int before,
                                          int after, Own (&out)[rows], Beyond beyond) const {
    if (computes) {
      constexpr bool beyond_first = F::template beyond_first<T>;
#pragma unroll
      for (int j = 0; j < (beyond_first ? rows : 0); ++j) out[j] = {};
      if (!beyond_first) sum_in_plane<radius, rows, false>(in_row, own, shown, before, after, out);
#pragma unroll
      for (int d = 1; d <= radius; ++d)
#pragma unroll
        for (int j = 0; j < rows; ++j) beyond(d, j, out[j]);
      if (beyond_first) sum_in_plane<radius, rows, true>(in_row, own, shown, before, after, out);
      keep_rim(own, out);
    } else {
#pragma unroll
      for (int j = 0; j < rows; ++j) out[j] = own[j];
    }
  }

  // Stores a plane without the halo at the tile's inner edges. The values pass through `line`, rows in shared
  // memory that belong to the warp, so that the warp writes whole cache lines. This is not needed if a
  // thread's points are one vector.
  __device__ __forceinline__ void store(T* plane, T* line, const Own (&out)[rows]) const {
    const bool by_point = is_odd(pitch_of_v), turns = Row::vectors > 1 || by_point;
#pragma unroll
    for (int j = 0; j < rows; ++j)
      if (turns) in_row.put(line + j * Row::width, out[j]);
    if (turns) __syncwarp();
    const Range along_y = stored_of(top, height, lag, box.y);
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      if (!along_y.has(y + j)) continue;
      T* const row = plane + static_cast<std::int64_t>(y + j) * pitch_of_v + origin;
      if (by_point)
        store_points(row, line + j * Row::width);
      else
        store_row(row, line + j * Row::width, out[j]);
    }
  }

  // Returns the range of points along x that the thread's tile stores.
  __device__ __forceinline__ Range stored_along_x() const {
    const int left = F::folded ? origin + ((x - origin) & -width) : origin;
    return stored_of(left, F::folded ? width : Row::width, halo_along_x(radius, F::steps), box.x);
  }

  // Stores a row from `line` point by point.
  __device__ __forceinline__ void store_points(T* row, const T* line) const {
    const Range along_x = stored_along_x();
#pragma unroll 1
    for (int i = 0; i < points_per_lane; ++i)
      if (const int at = point_across(i); along_x.has(origin + at)) row[at] = line[Row::place(at)];
  }

  // Stores a row, from `line` if a thread has several vectors, otherwise from `out`.
  __device__ __forceinline__ void store_row(T* row, const T* line, const Own& out) const {
    using Part = Vector<T, Row::length>;
    const Range along_x = stored_along_x();
#pragma unroll
    for (int i = 0; i < Row::vectors; ++i)
      if (along_x.has(origin + Row::across(i, lane)))
        *reinterpret_cast<Part*>(row + Row::across(i, lane)) =
            Row::vectors > 1 ? load<Row::length>(line + Row::place_across(i, lane)) : own_vector(out);
  }

  static __device__ __forceinline__ Vector<T, Row::length> own_vector(const Own& points) {
    Vector<T, Row::length> vector;
#pragma unroll
    for (int e = 0; e < Row::length; ++e) vector[e] = points.at[e];
    return vector;
  }
};

}  // namespace sextant::heat3d
