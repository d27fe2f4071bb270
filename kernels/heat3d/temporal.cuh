// Several steps a pass over memory, fused in a multiprocessor: the kernel of `temporal` (cuda.temporal.cu has the
// idea).
//
// A warp owns `rows` whole rows of the block's tile, a thread 8 neighbouring points of each, so that neighbours along
// x come by shuffles, and shared memory shows a stage's centre plane to the warps above and below only. One barrier a
// plane: what is shown is double-buffered.
//
// The scheme, 2.5-D streaming of fused steps, is that of AN5D (K. Matsumura et al., CGO 2020) and EBISU (L.
// Zhang et al., ICS 2023).
#pragma once

#include <cuda_pipeline.h>

#include "marching.cuh"

namespace sextant::heat3d {

inline constexpr int lane_points = 8, tile_width = 32 * lane_points;

// Planes below its own that stage 1 keeps in registers, so that the ring need not: all, where registers are
// left.
constexpr int planes_kept(int radius, int steps) { return steps == 1 && radius > 1 ? radius : 0; }

// Planes that copies run ahead: a step that is the only one of its pass is over sooner than memory answers,
// but for radius 4 a tile of 24 rows, the warps of which the four schedulers share evenly, is worth more.
constexpr int planes_ahead(int radius, int steps) { return steps == 1 && radius < 4 ? 2 : 1; }

constexpr int ring_planes(int radius, int steps) {
  return 2 * radius + 1 - planes_kept(radius, steps) + planes_ahead(radius, steps);
}

// Warps of a block for which the registers suffice: queues, a sum and operands, and addresses.
constexpr int most_warps(int radius, int steps, int rows, int element_bytes) {
  const int words = lane_points * rows * element_bytes / 4;
  const int registers = ((steps - 1) * 2 * radius + planes_kept(radius, steps) + 3) * words + 48;
  return std::min(registers > 255 ? 0 : 512 / registers * 4, 20);  // each quarter has 512 registers a lane
}

// Neighbouring points along x, what a thread has of a row.
template <typename T>
struct Points {
  T at[lane_points];
};

// A tile's row in shared memory as a thread sees it. The 16-byte vectors of a 128-byte line are swapped
// within the line, so that neither a warp's accesses to its threads' points nor copies of whole lines have
// bank conflicts.
template <typename T>
struct TileRow {
  static constexpr int length = vector_length<T>, vectors = lane_points / length, line = 128 / 16;
  static __device__ __forceinline__ int place(int x) {  // of element x of the row
    const int vector = x / length;
    return (vector ^ (vector / line % vectors)) * length + x % length;
  }
  // The i-th vector that a thread moves from or to global memory, where neighbouring threads must take
  // neighbouring vectors, is at x = across(i) of the row.
  static __device__ __forceinline__ int across(int i, int lane) { return (i * 32 + lane) * length; }
  static __device__ __forceinline__ int place_across(int i, int lane) {
    static_assert(32 / line % vectors == 0, "swapped alike in all 32 vectors");
    return i * 32 * length + place(lane * length);
  }

  int own[vectors];  // places of the thread's points
  __device__ explicit TileRow(int lane) {
#pragma unroll
    for (int i = 0; i < vectors; ++i) own[i] = place(lane * lane_points + i * length);
  }
  __device__ __forceinline__ Points<T> get(const T* row) const {
    Points<T> points;
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      const auto part = load<length>(row + own[i]);
#pragma unroll
      for (int e = 0; e < length; ++e) points.at[i * length + e] = part[e];
    }
    return points;
  }
  __device__ __forceinline__ void put(T* row, const Points<T>& points) const {
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      Vector<T, length> part;
#pragma unroll
      for (int e = 0; e < length; ++e) part[e] = points.at[i * length + e];
      *reinterpret_cast<Vector<T, length>*>(row + own[i]) = part;
    }
  }
};

// sum = c[0] * own + the neighbours in the plane, c[k] times each. `shown` is the row of own[0] in shared
// memory, which has `before` rows before it and `after` ones after those of `own`.
template <int radius, int rows, typename T>
__device__ __forceinline__ void sum_in_plane(const TileRow<T>& in_row, const Points<T> (&own)[rows],
                                             const T* shown, int before, int after, Points<T> (&sum)[rows]) {
  constexpr Coefficients<radius, T> c;
#pragma unroll
  for (int j = 0; j < rows; ++j) {
    T line[lane_points + 2 * radius];
#pragma unroll
    for (int e = 0; e < lane_points; ++e) line[radius + e] = own[j].at[e];
#pragma unroll
    for (int k = 0; k < radius; ++k) {
      line[k] = __shfl_up_sync(~0u, own[j].at[lane_points - radius + k], 1);
      line[lane_points + radius + k] = __shfl_down_sync(~0u, own[j].at[k], 1);
    }
#pragma unroll
    for (int e = 0; e < lane_points; ++e) {
      sum[j].at[e] = c.at[0] * own[j].at[e];
#pragma unroll
      for (int k = 1; k <= radius; ++k)
        sum[j].at[e] += c.at[k] * (line[radius + e - k] + line[radius + e + k]);
    }
  }
#pragma unroll
  for (int i = -radius; i < rows + radius; ++i) {  // row i is loaded once for all that it is a neighbour of
    constexpr auto within = [](int j) { return j >= 0 && j < rows ? j : 0; };
    const Points<T> row = i >= 0 && i < rows
                              ? own[within(i)]
                              : in_row.get(shown + min(max(i, -before), rows - 1 + after) * tile_width);
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      const int k = i < j ? j - i : i - j;
      if (k > 0 && k <= radius)
#pragma unroll
        for (int e = 0; e < lane_points; ++e) sum[j].at[e] += c.at[k] * row.at[e];
    }
  }
}

// sum += c[k] * (below + above), the same points of the planes at distance k.
template <int radius, typename T>
__device__ __forceinline__ void add_beyond(int k, const Points<T>& below, const Points<T>& above,
                                           Points<T>& sum) {
  constexpr Coefficients<radius, T> c;
#pragma unroll
  for (int e = 0; e < lane_points; ++e) sum.at[e] += c.at[k] * (below.at[e] + above.at[e]);
}

// A block's tile, the part of it that a thread owns, and what is done with a plane of it. The tile's rows in
// a ring's slot begin R rows before its own. `whole`: rows of the box are multiples of a thread's points.
template <int radius, int steps, int rows, bool whole, typename T>
struct Tile {
  static constexpr int lag = (steps - 1) * radius;  // planes that the last stage is behind the first
  // Whether a thread keeps where its rows are in global memory: where registers are left.
  static constexpr bool remembers = steps == 1 && radius > 2 && sizeof(T) == 4;
  const Box box;
  const int lane, warp, height;  // of the tile, in rows
  const int left, top, begin, end;
  const int x, y;  // the thread's first point
  const TileRow<T> in_row;

  // The warp's number comes from a shuffle so that the compiler knows it to be the same in all lanes, and
  // keeps what depends on it in uniform registers.
  __device__ Tile(const Box& whole_box, int planes, int stride_x, int stride_y)
      : box(whole_box),
        lane(static_cast<int>(threadIdx.x)),
        warp(__shfl_sync(~0u, static_cast<int>(threadIdx.y), 0)),
        height(static_cast<int>(blockDim.y) * rows),
        left(static_cast<int>(blockIdx.x) * stride_x),
        top(static_cast<int>(blockIdx.y) * stride_y),
        begin(static_cast<int>(blockIdx.z) * planes),
        end(min(begin + planes, box.z)),
        x(left + lane * lane_points),
        y(top + warp * rows),
        in_row(lane) {}

  // Where row `row` of a plane with its halo begins in the box's planes; outside the box: any row.
  __device__ __forceinline__ std::int64_t row_at(int row) const {
    return min(max(top - radius + row, 0), box.y - 1) * static_cast<std::int64_t>(box.x) + left;
  }

  // The same of the rows that this warp copies, in a plane of at most 2^31 points.
  __device__ __forceinline__ void find_rows(int (&rows_at)[rows + 1]) const {
#pragma unroll
    for (int j = 0; j <= rows; ++j)
      rows_at[j] = static_cast<int>(row_at(warp + j * static_cast<int>(blockDim.y)));
  }

  // The thread's points, the first row of which begins at `from`.
  __device__ __forceinline__ void take(const T* from, Points<T> (&points)[rows]) const {
#pragma unroll
    for (int j = 0; j < rows; ++j) points[j] = in_row.get(from + j * tile_width);
  }

  // Starts copying a row of a plane, `from` being its first element, to the same row of a ring's slot.
  __device__ __forceinline__ void copy_row(const T* from, T* to) const {
    if constexpr (whole) {
#pragma unroll
      for (int i = 0; i < TileRow<T>::vectors; ++i)
        if (const int at = TileRow<T>::across(i, lane); left + at < box.x)
          __pipeline_memcpy_async(to + TileRow<T>::place_across(i, lane), from + at, 16);
    } else {
      for (int i = lane; i < tile_width && left + i < box.x; i += 32)
        __pipeline_memcpy_async(to + TileRow<T>::place(i), from + i, sizeof(T));
    }
  }

  // The same of the rows of plane z and its halo that fall to this warp, the first of which begin at
  // `rows_at`, if there is such a plane and the block needs it.
  __device__ __forceinline__ void fetch(const T* u, int z, const int (&rows_at)[rows + 1], T* slot) const {
    if (z < 0 || z < begin - lag - radius || z >= min(end + lag + radius, box.z)) return;
    const T* const from = u + z * box.plane;
    const int warps = static_cast<int>(blockDim.y), all = height + 2 * radius;
    constexpr int known = remembers ? rows + 1 : rows;  // the halo has one row a warp, or few more
#pragma unroll
    for (int j = 0; j < known; ++j)
      if (const int row = warp + j * warps; j < rows || row < all)
        copy_row(from + (remembers ? rows_at[j] : row_at(row)), slot + row * tile_width);
    if (!remembers || warps < 2 * radius)
      for (int row = warp + known * warps; row < all; row += warps)
        copy_row(from + row_at(row), slot + row * tile_width);
  }

  // Whether stage k, counted from 0, computes when the first is at plane z: what the block needs and what is
  // not in the rim along z. Other planes are passed on as they are.
  __device__ __forceinline__ bool computes(int k, int z) const {
    const int reach = (steps - 1 - k) * radius, at = z - k * radius;
    return at >= max(begin - reach, radius) && at < min(end + reach, box.z - radius);
  }

  __device__ __forceinline__ void keep_rim(const Points<T> (&own)[rows], Points<T> (&sum)[rows]) const {
    const bool first = x == 0, last = x + lane_points == box.x;
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int e = 0; e < lane_points; ++e)
        if (whole ? (first && e < radius) || (last && e >= lane_points - radius)
                  : in_rim<radius>(x + e, box.x))
          sum[j].at[e] = own[j].at[e];
    if (y < radius || y + rows > box.y - radius)
#pragma unroll
      for (int j = 0; j < rows; ++j)
        if (in_rim<radius>(y + j, box.y)) sum[j] = own[j];
  }

  // One stage's step of a plane from `own`, which `shown`, `before` and `after` show as above. beyond(d, j,
  // sum) adds to row j what lies d planes below and above.
  template <typename Beyond>
  __device__ __forceinline__ void advance(bool computes, const Points<T> (&own)[rows], const T* shown,
                                          int before, int after, Points<T> (&out)[rows],
                                          Beyond beyond) const {
    if (computes) {
      sum_in_plane<radius, rows>(in_row, own, shown, before, after, out);
#pragma unroll
      for (int d = 1; d <= radius; ++d)
#pragma unroll
        for (int j = 0; j < rows; ++j) beyond(d, j, out[j]);
      keep_rim(own, out);
    } else {
#pragma unroll
      for (int j = 0; j < rows; ++j) out[j] = own[j];
    }
  }

  // Stores plane z but for the halo at the tile's inner edges: through `line`, rows of shared memory that the
  // warp has for itself, so that it writes whole lines.
  __device__ __forceinline__ void store(T* plane, T* line, const Points<T> (&out)[rows]) const {
    constexpr int halo_x = (steps * radius + lane_points - 1) / lane_points * lane_points;
    const int first_x = left == 0 ? 0 : left + halo_x,
              last_x = left + tile_width >= box.x ? box.x : left + tile_width - halo_x,
              first_y = top == 0 ? 0 : top + lag, last_y = top + height >= box.y ? box.y : top + height - lag;
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      if (y + j < first_y || y + j >= last_y) continue;  // the same for the whole warp
      T* const to = plane + static_cast<std::int64_t>(y + j) * box.x;
      if constexpr (whole) {
        in_row.put(line + j * tile_width, out[j]);
        __syncwarp();
#pragma unroll
        for (int i = 0; i < TileRow<T>::vectors; ++i)
          if (const int at = left + TileRow<T>::across(i, lane); at >= first_x && at < last_x)
            *reinterpret_cast<Vector<T, vector_length<T>>*>(to + at) =
                load<vector_length<T>>(line + j * tile_width + TileRow<T>::place_across(i, lane));
      } else {
#pragma unroll
        for (int e = 0; e < lane_points; ++e)
          if (x + e >= first_x && x + e < last_x) to[x + e] = out[j].at[e];
      }
    }
  }
};

// The pipeline of stages of a thread: what it holds in registers, and what it does with a plane. Stage 1 computes the
// first step of plane z from the ring, each later stage a step of what the stage before gave it, R planes behind.
//
// Shared memory has the ring, planes z-R (or z, where those before are kept in registers) … z+R and those to come;
// then two planes for each later stage, which it reads now and which the next plane is written to. Results are turned
// in the oldest slot, of which each warp reads its own rows alone, or in a plane of their own.
template <int radius, int steps, int rows, bool whole, typename T>
struct Pipeline {
  using BlockTile = Tile<radius, steps, rows, whole, T>;
  using Rows = Points<T>[rows];
  static constexpr int ring = ring_planes(radius, steps), ahead = planes_ahead(radius, steps),
                       kept = planes_kept(radius, steps), below = radius - kept;
  using Before = Rows[kept > 0 ? kept : 1];  // planes z-R … z-1, where stage 1 keeps them
  using Queue = Rows[2 * radius + 1];        // planes z-R … z+R of a later stage
  // Unrolled over a whole turn of the queues no value is moved.
  static constexpr int period = !whole ? 1 : steps > 1 ? 2 * radius + 1 : kept > 0 ? kept : 1;

  // Stage 1 of plane z: from the ring's slots, in which the thread's rows begin at `mid`.
  static __device__ __forceinline__ void first_stage(const BlockTile& tile, int z, T* const (&slot)[ring],
                                                     int mid, Before& before, Rows& centre, Rows& out) {
    tile.advance(tile.computes(0, z), centre, slot[below] + mid, radius, radius, out,
                 [&](int d, int j, Points<T>& sum) {
                   const int at = mid + j * tile_width;
                   add_beyond<radius>(d,
                                      kept > 0 ? before[kept > 0 ? kept - d : 0][j]
                                               : tile.in_row.get(slot[kept > 0 ? 0 : below - d] + at),
                                      tile.in_row.get(slot[below + d] + at), sum);
                 });
#pragma unroll
    for (int j = 0; j < (kept > 0 ? rows : 0); ++j) {
#pragma unroll
      for (int d = 0; d + 1 < kept; ++d) before[d][j] = before[d + 1][j];
      before[kept > 0 ? kept - 1 : 0][j] = centre[j];
    }
  }

  // Stage k + 1 when the first is at plane z: takes the plane that the stage before gave, shows its neighbours the
  // next one and computes. `shown` and `next_shown`: the thread's rows in its planes of shared memory.
  static __device__ __forceinline__ void later_stage(const BlockTile& tile, int k, int z, Queue& planes,
                                                     const T* shown, T* next_shown, Rows& out) {
#pragma unroll
    for (int j = 0; j < rows; ++j) {
#pragma unroll
      for (int d = 0; d < 2 * radius; ++d) planes[d][j] = planes[d + 1][j];
      planes[2 * radius][j] = out[j];
      if (j < radius || j >= rows - radius)
        tile.in_row.put(next_shown + j * tile_width, planes[radius + 1][j]);
    }
    tile.advance(tile.computes(k, z), planes[radius], shown, tile.warp * rows,
                 tile.height - (tile.warp + 1) * rows, out, [&](int d, int j, Points<T>& sum) {
                   add_beyond<radius>(d, planes[radius - d][j], planes[radius + d][j], sum);
                 });
  }

  // All stages when the first is at plane z; `out`: the last one's plane.
  static __device__ __forceinline__ void advance(const BlockTile& tile, int z, T* const (&slot)[ring],
                                                 int mid, int plane, const T* shown, T* next_shown,
                                                 Before& before, Queue (&queue)[steps > 1 ? steps - 1 : 1],
                                                 Rows& out) {
    Rows centre;
    tile.take(slot[below] + mid, centre);
    first_stage(tile, z, slot, mid, before, centre, out);
#pragma unroll
    for (int k = 1; k < steps; ++k)
      later_stage(tile, k, z, queue[k - 1], shown + (k - 1) * plane, next_shown + (k - 1) * plane, out);
  }

  // The oldest plane's slot becomes that of the next to come.
  static __device__ __forceinline__ void turn(T* (&slot)[ring]) {
    T* const oldest = slot[0];
#pragma unroll
    for (int i = 0; i + 1 < ring; ++i) slot[i] = slot[i + 1];
    slot[ring - 1] = oldest;
  }
};

// `steps` steps from u to v. blockIdx: tiles along x and y, which begin `stride_x` and `stride_y` apart, and
// parts of `planes` planes along z.
template <int radius, int steps, int rows, bool whole, typename T>
__global__ void __launch_bounds__(32 * most_warps(radius, steps, rows, sizeof(T)), 1)
    fused(Box box, int planes, int stride_x, int stride_y, const T* __restrict__ u, T* __restrict__ v) {
  using P = Pipeline<radius, steps, rows, whole, T>;
  constexpr int lag = (steps - 1) * radius;
  const Tile<radius, steps, rows, whole, T> tile(box, planes, stride_x, stride_y);
  const int own = tile.warp * rows * tile_width, plane = tile.height * tile_width;
  extern __shared__ __align__(16) unsigned char memory[];
  T* slot[P::ring];
#pragma unroll
  for (int i = 0; i < P::ring; ++i)
    slot[i] = reinterpret_cast<T*>(memory) + i * (plane + 2 * radius * tile_width);
  T* const after = reinterpret_cast<T*>(memory) + P::ring * (plane + 2 * radius * tile_width) + own;
  T *shown = after, *next_shown = after + (steps - 1) * plane;
  int rows_at[rows + 1];
  tile.find_rows(rows_at);
  int z = tile.begin - lag;
  T* to = v + (z - lag) * box.plane;
#pragma unroll
  for (int i = 0; i < P::ring - 1; ++i) {
    tile.fetch(u, z - P::below + i, rows_at, slot[i]);
    if (i >= P::below + radius) __pipeline_commit();
  }
  typename P::Before before = {};
#pragma unroll
  for (int d = 1; d <= P::kept; ++d)
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int e = 0; e < lane_points; ++e)
        if (z >= d && tile.y + j < box.y && tile.x + e < box.x)
          before[P::kept - d][j].at[e] =
              u[(z - d) * box.plane + static_cast<std::int64_t>(tile.y + j) * box.x + tile.x + e];
  typename P::Queue queue[steps > 1 ? steps - 1 : 1] = {};  // of stages 2 …
  const int last_z = tile.end + lag;
  while (z < last_z) {
#pragma unroll
    for (int phase = 0; phase < P::period; ++phase) {
      if (phase > 0 && z >= last_z) break;
      __pipeline_wait_prior(P::ahead - 1);
      __syncthreads();  // plane z + R is here, and the slot of the next is no longer read
      tile.fetch(u, z + radius + P::ahead, rows_at, slot[P::ring - 1]);
      __pipeline_commit();
      const int mid = own + radius * tile_width;
      Points<T> out[rows];
      P::advance(tile, z, slot, mid, plane, shown, next_shown, before, queue, out);
      if (z - lag >= tile.begin && z - lag < tile.end)
        tile.store(to, P::kept > 0 ? after : slot[0] + mid, out);
      ++z;
      to += box.plane;
      P::turn(slot);
      T* const read = shown;
      shown = next_shown;
      next_shown = read;
    }
  }
  __pipeline_wait_prior(0);
}

}  // namespace sextant::heat3d
