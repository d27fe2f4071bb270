// Several steps a pass over memory, fused in a multiprocessor: the kernel of `temporal` (cuda.temporal.cu has
// the idea).
//
// A warp owns `rows` whole rows of the block's tile, a thread 8 or 4 neighbouring points of each, so that
// neighbours along x come by shuffles, and shared memory shows a stage's centre plane to the warps above and
// below only. One barrier a plane: what is shown is double-buffered.
//
// The scheme, 2.5-D streaming of fused steps, is that of AN5D (K. Matsumura et al., CGO 2020) and EBISU (L.
// Zhang et al., ICS 2023).
#pragma once

#include "temporal_tile.cuh"

namespace sextant::heat3d {

// Clocks in kHz; without a device those of an H200.
inline Machine machine() {
  const double memory = device_attribute(cudaDevAttrMemoryClockRate, 3'201'000),
               bits = device_attribute(cudaDevAttrGlobalMemoryBusWidth, 6144),
               clock = device_attribute(cudaDevAttrClockRate, 1'980'000);
  return {multiprocessors(), 2 * memory * bits / 8 / clock / multiprocessors()};  // two transfers a cycle
}

// The pipeline of stages of a thread: what it holds in registers, and what it does with a plane. Stage 1
// computes the first step of plane z from the ring, each later stage a step of what the stage before gave it,
// R planes behind.
//
// Shared memory has the ring, planes z-R (or z, where those before are kept in registers) … z+R and those to
// come; then two planes for each later stage, which it reads now and which the next plane is written to.
// Results are turned in the oldest slot, of which each warp reads its own rows alone, or in a plane of their
// own.
template <typename F, typename T>
struct Pipeline {
  using BlockTile = Tile<F, T>;
  using Own = typename BlockTile::Own;
  using Rows = Own[F::rows];
  static constexpr int radius = F::radius, steps = F::steps, rows = F::rows, ring = F::ring, kept = F::kept,
                       below = radius - kept, width = BlockTile::Row::width;
  using Before = Rows[kept > 0 ? kept : 1];  // planes z-R … z-1, where stage 1 keeps them
  using Queue = Rows[2 * radius + 1];        // planes z-R … z+R of a later stage
  // Unrolled over a whole turn of the queues no value is moved; of what stage 1 keeps, where registers are
  // left for it.
  static constexpr int period = steps > 1 ? 2 * radius + 1 : F::template turns_kept<T> ? kept : 1;

  // Stage 1 of plane z: from the ring's slots, in which the thread's rows begin at `mid`.
  template <bool steady>
  static __device__ __forceinline__ void first_stage(const BlockTile& tile, int z, T* const (&slot)[ring],
                                                     int mid, Before& before, Rows& centre, Rows& out) {
    tile.advance(steady || tile.computes(0, z), centre, slot[below] + mid, radius, radius, out,
                 [&](int d, int j, Own& sum) {
                   const int at = mid + j * width;
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

  // Stage k + 1 when the first is at plane z: takes the plane that the stage before gave, shows its
  // neighbours the next one and computes. `shown` and `next_shown`: the thread's rows in its planes of shared
  // memory.
  template <bool steady>
  static __device__ __forceinline__ void later_stage(const BlockTile& tile, int k, int z, Queue& planes,
                                                     const T* shown, T* next_shown, Rows& out) {
#pragma unroll
    for (int j = 0; j < rows; ++j) {
#pragma unroll
      for (int d = 0; d < 2 * radius; ++d) planes[d][j] = planes[d + 1][j];
      planes[2 * radius][j] = out[j];
      if (j < radius || j >= rows - radius) tile.in_row.put(next_shown + j * width, planes[radius + 1][j]);
    }
    tile.advance(steady || tile.computes(k, z), planes[radius], shown, tile.warp * rows,
                 tile.height - (tile.warp + 1) * rows, out, [&](int d, int j, Own& sum) {
                   add_beyond<radius>(d, planes[radius - d][j], planes[radius + d][j], sum);
                 });
  }

  // All stages when the first is at plane z; `out`: the last one's plane.
  template <bool steady>
  static __device__ __forceinline__ void advance(const BlockTile& tile, int z, T* const (&slot)[ring],
                                                 int mid, int plane, const T* shown, T* next_shown,
                                                 Before& before, Queue (&queue)[steps > 1 ? steps - 1 : 1],
                                                 Rows& out) {
    Rows centre;
    tile.take(slot[below] + mid, centre);
    first_stage<steady>(tile, z, slot, mid, before, centre, out);
#pragma unroll
    for (int k = 1; k < steps; ++k)
      later_stage<steady>(tile, k, z, queue[k - 1], shown + (k - 1) * plane, next_shown + (k - 1) * plane,
                          out);
  }

  // The oldest plane's slot becomes that of the next to come.
  static __device__ __forceinline__ void turn(T* (&slot)[ring]) {
    T* const oldest = slot[0];
#pragma unroll
    for (int i = 0; i + 1 < ring; ++i) slot[i] = slot[i + 1];
    slot[ring - 1] = oldest;
  }
};

// Planes below z that stage 1 keeps, where a thread's points of them are in the box.
template <typename F, typename T>
__device__ __forceinline__ void load_before(const Tile<F, T>& tile, const T* u, int z,
                                            typename Pipeline<F, T>::Before& before) {
#pragma unroll
  for (int d = 1; d <= F::kept; ++d)
#pragma unroll
    for (int j = 0; j < F::rows; ++j)
#pragma unroll
      for (int e = 0; e < F::points_per_lane; ++e)
        if (z >= d && tile.y + j < tile.box.y && tile.x + e < tile.box.x)
          before[F::kept - d][j].at[e] =
              u[(z - d) * tile.box.plane + static_cast<std::int64_t>(tile.y + j) * tile.box.pitch + tile.x +
                e];
}

// Whether a kernel has a loop of its own for steady planes, unrolled over a turn of the queues; what comes
// before and after is not unrolled then. Others spill more registers with it, or are no faster.
template <typename F, typename T>
constexpr bool has_steady_loop = F::steps == 1 ? F::radius == 1 && F::points_per_lane == 8 && sizeof(T) == 4
                                               : F::radius == 1 || (F::radius == 2 && sizeof(T) == 4);

// F::steps steps from u to v of a tile. plane_of_v is the box's: by itself, or the compiler spills registers
// where it derives addresses of v from those of u. store(plane number, where it goes, line, out) stores a
// plane.
template <typename F, typename T, typename Store>
__device__ __forceinline__ void fuse(const Tile<F, T>& tile, std::int64_t plane_of_v, const T* u, T* v,
                                     Store store) {
  using P = Pipeline<F, T>;
  constexpr int lag = F::lag, radius = F::radius, width = P::width;
  const int own = tile.warp * F::rows * width, plane = tile.height * width;
  extern __shared__ __align__(16) unsigned char memory[];
  T* slot[P::ring];
#pragma unroll
  for (int i = 0; i < P::ring; ++i) slot[i] = reinterpret_cast<T*>(memory) + i * (plane + 2 * radius * width);
  T* const after = reinterpret_cast<T*>(memory) + P::ring * (plane + 2 * radius * width) + own;
  T *shown = after, *next_shown = after + (F::steps - 1) * plane;
  int rows_at[F::rows + 1];
  tile.find_rows(rows_at);
  int z = tile.begin - lag;
  T* to = v + (z - lag) * plane_of_v;
#pragma unroll
  for (int i = 0; i < P::ring - 1; ++i) {
    tile.fetch(u, z - P::below + i, rows_at, slot[i]);
    if (i >= P::below + radius) __pipeline_commit();
  }
  typename P::Before before = {};
  load_before(tile, u, z, before);
  typename P::Queue queue[F::steps > 1 ? F::steps - 1 : 1] = {};  // of stages 2 …
  // Until plane `until`, `period` planes unrolled. steady: all are steady planes.
  const auto march = [&]<int period, bool steady>(int until) {
    while (z < until) {
#pragma unroll
      for (int phase = 0; phase < period; ++phase) {
        if (!steady && phase > 0 && z >= until) break;
        __pipeline_wait_prior(F::ahead - 1);
        __syncthreads();  // plane z + R is here, and the slot of the next is no longer read
        if constexpr (steady)
          tile.fetch_plane(u, z + radius + F::ahead, rows_at, slot[P::ring - 1]);
        else
          tile.fetch(u, z + radius + F::ahead, rows_at, slot[P::ring - 1]);
        __pipeline_commit();
        const int mid = own + radius * width;
        typename P::Rows out;
        P::template advance<steady>(tile, z, slot, mid, plane, shown, next_shown, before, queue, out);
        if (steady || (z - lag >= tile.begin && z - lag < tile.end))
          store(z - lag, to, P::kept > 0 ? after : slot[0] + mid, out);
        ++z;
        to += plane_of_v;
        P::turn(slot);
        T* const read = shown;
        shown = next_shown;
        next_shown = read;
      }
    }
  };
  const int last_z = tile.end + lag;
  if constexpr (has_steady_loop<F, T>) {
    const Range planes = tile.steady_planes();  // of thin parts they begin beyond the end
    const int turns = planes.to > planes.from ? (planes.to - planes.from) / P::period : 0,
              from = turns > 0 ? planes.from : last_z;
    march.template operator()<1, false>(from);
    march.template operator()<P::period, true>(from + turns * P::period);
    march.template operator()<1, false>(last_z);
  } else {
    march.template operator()<P::period, false>(last_z);
  }
  __pipeline_wait_prior(0);
}

// What `overlap` says of a launch: the next one may begin while this one runs, or this one, which began while
// the last one ran, ends after it.
enum class Overlap { none, leads, follows };

// The last block of a launch that follows another waits for that one's end, so that what comes next comes
// after both.
template <typename F, typename T>
__global__ void __launch_bounds__(warp_lanes* most_warps(F::radius, F::steps, F::rows* F::points_per_lane,
                                                         sizeof(T)),
                                  1)
    fused(Box box, Tiles tiles, ZCut cut, Overlap overlap, std::int64_t plane_of_v, int pitch_of_v,
          const T* __restrict__ u, T* __restrict__ v) {
  if (overlap == Overlap::leads) let_next_launch_begin();
  const Tile<F, T> tile(box, tiles, piece_of(cut, static_cast<int>(blockIdx.x), box.z), pitch_of_v);
  fuse(tile, plane_of_v, u, v, [&](int, T* to, T* line, const auto& out) { tile.store(to, line, out); });
  if (overlap == Overlap::follows && blockIdx.x == gridDim.x - 1) wait_for_last_launch();
}

}  // namespace sextant::heat3d
