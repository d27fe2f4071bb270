#pragma once

#include <cuda_pipeline.h>

#include "march.cuh"
#include "point.cuh"
#include "temporal_plan.cuh"

// What a thread of `temporal` has of a tile's row, in registers and in shared memory.
namespace sextant::heat3d {

// Neighbouring points along x.
template <int count, typename T>
struct Points {
  T at[count];
};

// A tile's row in shared memory as a thread sees it. The 16-byte vectors of a 128-byte line are swapped
// within the line, so that neither a warp's accesses to its threads' points nor copies of whole lines or of
// pairs of vectors have bank conflicts.
template <int points_per_lane, typename T, bool folded>
struct TileRow {
  using Own = Points<points_per_lane, T>;
  static constexpr int width = warp_lanes * points_per_lane;
  static constexpr int length = vector_length<T>, vectors = points_per_lane / length, line = 128 / 16;
  static constexpr bool grouped = folded && vectors > 1;
  static __device__ __forceinline__ int place(int x) {  // of element x of the row
    const int vector = x / length, turn = vector / line % vectors * (grouped && vectors == 2 ? 3 : 1);
    return (vector ^ turn) * length + x % length;
  }
  // The i-th vector that a thread moves from or to global memory is at x = across(i) of the row: neighbouring
  // threads take neighbouring vectors; where several tiles lie side by side, of the points of as many threads
  // as a thread has vectors, so that they stay within their tile.
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

// Adds c[0] * own and the neighbours in the plane, c[k] times each, to sum, or sets it to that. `shown` is
// the row of own[0] in shared memory, which has `before` rows before it and `after` ones after those of
// `own`.
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

// A block's tile in `temporal`, the part of it that a thread owns, and what is done with a plane of it.

// What a kernel is compiled for. whole: rows of the box are multiples of a thread's points; others end in a
// thread's. any_pitch: rows of u and v may begin anywhere, not only where vectors may.
template <int radius_, int steps_, int rows_, int points_per_lane_, bool whole_, bool folded_ = false,
          bool any_pitch_ = false>
struct Fusion {
  static constexpr int radius = radius_, steps = steps_, rows = rows_, points_per_lane = points_per_lane_;
  static constexpr bool whole = whole_, folded = folded_, any_pitch = any_pitch_;
  // For blocks of several tiles side by side, too.
  using Folded = Fusion<radius, steps, rows_when_folded(radius, steps, rows, points_per_lane),
                        points_per_lane, whole, true, any_pitch>;
  static constexpr int lag = (steps - 1) * radius;  // planes that the last stage is behind the first
  static constexpr int kept = planes_kept(radius, steps), ahead = planes_ahead(radius, steps),
                       ring = ring_planes(radius, steps);
  // How the compiler spills no registers, or fewest: what single steps keep of planes moves on with each
  // plane, and what lies beyond a plane is summed up before what lies in it, but for this one.
  template <typename T>
  static constexpr bool turns_kept = radius == 3 && steps == 1 && rows == 2 && points_per_lane == 8 &&
                                     sizeof(T) == 4;
  template <typename T>
  static constexpr bool beyond_first = steps == 1 && !turns_kept<T>;
};

// The tile's rows in a ring's slot begin R rows before its own. `origin`: the x of the first point of a row
// in shared memory, if the row were all of the thread's tile.
template <typename F, typename T>
struct Tile {
  using Row = TileRow<F::points_per_lane, T, F::folded>;
  using Own = Points<F::points_per_lane, T>;
  static constexpr int radius = F::radius, rows = F::rows, points_per_lane = F::points_per_lane, lag = F::lag;
  // Whether a thread keeps where its rows are in global memory: where registers are left.
  static constexpr bool remembers = F::steps == 1 && radius > 2 && sizeof(T) == 4;
  const Box box;
  const int lane, warp, height;  // of the tile, in rows
  const int begin, end;
  int top, origin, width;  // width: of the thread's tile
  int x, y;                // the thread's first point
  unsigned rim;            // where rows are not whole: points along x that are in the rim
  int pitch_of_v;          // box.pitch is that of u
  const Row in_row;

  // The warp's number comes from a shuffle so that the compiler knows it to be the same in all lanes, and
  // keeps what depends on it in uniform registers.
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

  // Where row `row` of a plane with its halo begins in the box's planes; outside the box: any row.
  __device__ __forceinline__ std::int64_t row_at(int row) const {
    return min(max(top - radius + row, 0), box.y - 1) * static_cast<std::int64_t>(box.pitch) + origin;
  }

  // The same of the rows that this warp copies, in a plane of at most 2^31 points.
  __device__ __forceinline__ void find_rows(int (&rows_at)[rows + 1]) const {
#pragma unroll
    for (int j = 0; j <= rows; ++j)
      rows_at[j] = static_cast<int>(row_at(warp + j * static_cast<int>(blockDim.y)));
  }

  // The thread's points, the first row of which begins at `row`.
  __device__ __forceinline__ void take(const T* row, Own (&points)[rows]) const {
#pragma unroll
    for (int j = 0; j < rows; ++j) points[j] = in_row.get(row + j * Row::width);
  }

  // Whether rows of this pitch begin where vectors may not.
  static __device__ __forceinline__ bool is_odd(int pitch) {
    return F::any_pitch && pitch % Row::length != 0;
  }

  // The i-th point of a row that a thread moves by itself is here: neighbouring threads of a tile take
  // neighbouring points.
  __device__ __forceinline__ int point_across(int i) const {
    const int lanes = F::folded ? width / points_per_lane : warp_lanes;
    return (lane & -lanes) * points_per_lane + i * lanes + (lane & (lanes - 1));
  }

  // Starts copying a row of a plane, `row` being its first element, to the same row of a ring's slot.
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

  // The same of the rows of plane z and its halo that fall to this warp, the first of which begin at
  // `rows_at`; fetch: if there is such a plane and the block needs it.
  __device__ __forceinline__ void fetch(const T* u, int z, const int (&rows_at)[rows + 1], T* slot) const {
    if (z < 0 || z < begin - lag - radius || z >= min(end + lag + radius, box.z)) return;
    fetch_plane(u, z, rows_at, slot);
  }
  __device__ __forceinline__ void fetch_plane(const T* u, int z, const int (&rows_at)[rows + 1],
                                              T* slot) const {
    const T* const plane = u + z * box.plane;
    const int warps = static_cast<int>(blockDim.y), all = height + 2 * radius;
    constexpr int known = remembers ? rows + 1 : rows;  // the halo has one row a warp, or few more
#pragma unroll
    for (int j = 0; j < known; ++j)
      if (const int row = warp + j * warps; j < rows || row < all)
        copy_row(plane + (remembers ? rows_at[j] : row_at(row)), slot + row * Row::width);
    if (!remembers || warps < 2 * radius)
      for (int row = warp + known * warps; row < all; row += warps)
        copy_row(plane + row_at(row), slot + row * Row::width);
  }

  // Whether stage k, counted from 0, computes when the first is at plane z: what the block needs and what is
  // not in the rim along z. Other planes are passed on as they are.
  __device__ __forceinline__ bool computes(int k, int z) const {
    const int reach = (F::steps - 1 - k) * radius, at = z - k * radius;
    return at >= max(begin - reach, radius) && at < min(end + reach, box.z - radius);
  }

  // The first stage's planes between those at which a stage does not compute, or nothing is stored, or the
  // plane that is fetched meanwhile is not needed, or not there.
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

  // One stage's step of a plane from `own`, which `shown`, `before` and `after` show as above. beyond(d, j,
  // sum) adds to row j what lies d planes below and above.
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

  // Stores a plane but for the halo at the tile's inner edges: through `line`, rows of shared memory that the
  // warp has for itself, so that it writes whole lines, unless a thread's points are one vector.
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

  // Points along x that the thread's tile stores.
  __device__ __forceinline__ Range stored_along_x() const {
    const int left = F::folded ? origin + ((x - origin) & -width) : origin;
    return stored_of(left, F::folded ? width : Row::width, halo_along_x(radius, F::steps), box.x);
  }

  // A row that has been turned, point by point.
  __device__ __forceinline__ void store_points(T* row, const T* line) const {
    const Range along_x = stored_along_x();
#pragma unroll 1
    for (int i = 0; i < points_per_lane; ++i)
      if (const int at = point_across(i); along_x.has(origin + at)) row[at] = line[Row::place(at)];
  }

  // A row, from `line` where it has been turned.
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
