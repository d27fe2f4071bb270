// The kernel of `temporal`: several steps per pass over memory, fused in a multiprocessor. cuda.temporal.cu
// explains the method.
//
// A warp computes `rows` whole rows of the block's tile, and a thread 8 or 4 consecutive points of each row.
// Neighbours along x are exchanged by shuffles. Through shared memory each stage passes its centre plane to
// the warps with the rows before and after. Double buffering of these planes reduces synchronisation to one
// barrier per plane.
//
// The scheme, 2.5-D streaming of fused steps, is that of AN5D (K. Matsumura et al., CGO 2020) and EBISU (L.
// Zhang et al., ICS 2023).
#pragma once

#include "temporal_tile.cuh"

namespace sextant::heat3d {

// Returns the properties of device 0, with clocks in kHz; those of an H200 if there is no device.
inline Machine machine() {
  const double memory = device_attribute(cudaDevAttrMemoryClockRate, 3'201'000),
               bits = device_attribute(cudaDevAttrGlobalMemoryBusWidth, 6144),
               clock = device_attribute(cudaDevAttrClockRate, 1'980'000);
  // memory transfers data twice per cycle
  return {multiprocessors(), 2 * memory * bits / 8 / clock / multiprocessors()};
}

// A thread's pipeline of stages: its values in registers, and how it processes a plane. Stage 1 computes the
// first step of plane z from the ring buffer. Each later stage computes one step from the previous stage's
// results, R planes behind it.
//
// Shared memory holds the ring buffer, then two planes per later stage: one to read now and one for the next
// plane. The ring buffer holds planes z-R … z+R and the planes being copied. If registers hold the planes
// below z, it holds only z … z+R. Results are rearranged for coalesced stores in the slot of the oldest plane
// or in a separate plane. This is safe, because each warp reads only its own rows of the oldest plane.
template <typename F, typename T>
struct Pipeline {
  using BlockTile = Tile<F, T>;
  using Own = typename BlockTile::Own;
  using Rows = Own[F::rows];
  static constexpr int radius = F::radius, steps = F::steps, rows = F::rows, ring = F::ring, kept = F::kept,
                       below = radius - kept, width = BlockTile::Row::width;
  using Before = Rows[kept > 0 ? kept : 1];  // planes z-R … z-1, if stage 1 keeps them in registers
  using Queue = Rows[2 * radius + 1];        // planes z-R … z+R of a later stage
  // Number of planes over which the loop is unrolled. Unrolling over a full rotation of the queues avoids
  // moving values. For the planes that stage 1 keeps, this needs enough free registers.
  static constexpr int period = steps > 1 ? 2 * radius + 1 : F::template turns_kept<T> ? kept : 1;

  // Computes stage 1 for plane z. It reads the ring buffer's slots, in which the thread's rows begin at
  // offset `mid`.
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

  // Computes stage k + 1 while the first stage is at plane z. It takes the previous stage's plane, publishes
  // the next plane to the neighbouring warps, and computes. `shown` and `next_shown` are the thread's rows in
  // the stage's two planes of shared memory.
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

  // Computes all stages while the first one is at plane z. `out` receives the plane of the last stage.
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

  // Makes the slot of the oldest plane the slot for the next plane to arrive.
  static __device__ __forceinline__ void turn(T* (&slot)[ring]) {
    T* const oldest = slot[0];
#pragma unroll
    for (int i = 0; i + 1 < ring; ++i) slot[i] = slot[i + 1];
    slot[ring - 1] = oldest;
  }
};

// Loads the planes below z that stage 1 keeps in registers, if the thread's points lie in the box.
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

// True if the kernel has a separate unrolled loop for planes without special cases (steady_planes). Other
// kernels would spill more registers with this loop, or are no faster.
template <typename F, typename T>
constexpr bool has_steady_loop = F::steps == 1 ? F::radius == 1 && F::points_per_lane == 8 && sizeof(T) == 4
                                               : F::radius == 1 || (F::radius == 2 && sizeof(T) == 4);

// Computes F::steps steps of a tile from u to v. `plane_of_v` equals the plane stride of the box. It is a
// separate argument, because the compiler would spill registers if it derived addresses of v from those of u.
// store(plane number, destination, line, out) must store a plane.
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
  typename P::Queue queue[F::steps > 1 ? F::steps - 1 : 1] = {};  // queues of stages 2 and later
  // Marches until plane `until`, with `period` planes unrolled. `steady` means that none of them needs
  // special cases.
  const auto march = [&]<int period, bool steady>(int until) {
    while (z < until) {
#pragma unroll
      for (int phase = 0; phase < period; ++phase) {
        if (!steady && phase > 0 && z >= until) break;
        __pipeline_wait_prior(F::ahead - 1);
        // After this barrier, plane z + R has arrived, and no thread reads the slot of the next plane any
        // more.
        __syncthreads();
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
    const Range planes = tile.steady_planes();  // empty (from > to) in thin chunks
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

// How a launch overlaps another one. `leads`: the next launch may begin while this one runs. `follows`: this
// launch may begin while the previous one runs, and ends after it.
enum class Overlap { none, leads, follows };

// The last block of a launch that follows another waits for the end of that launch. Later work in the stream
// therefore starts after both.
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
