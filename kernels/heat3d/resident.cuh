// A box that stays in the multiprocessors' shared memory over all steps: the kernel of `resident`.
//
// A block owns all planes of a tile of 32 x 16 columns. Most of its warps compute, in `groups`, each of which
// has as many neighbouring planes and takes them two or four at a time, a chunk; one barrier a chunk. Faces
// go to the arrays in global memory that the other variants write, too, as soon as they are computed. Four
// warps are couriers: two tell the neighbours by turns which chunks' faces are there, two bring the
// neighbours' faces for the chunk after the next while this one is computed. So a step waits for neighbours
// only where they are late by most of a step's time, and never for all.
//
// Groups march up and down by turns, so that two that meet both begin or both end there: what one reads of
// the other's planes is then of the right step. A chunk's results are written back after the next barrier,
// when nobody reads its planes any more.
#pragma once

#include <cuda_pipeline.h>

#include "point.cuh"

namespace sextant::heat3d {

// The make-up of a block whose threads have vectors of `length` elements, `rows` one above the other. tight:
// without the ends of halo rows, so that shared memory suffices for 64 planes of radius 4. chunk: planes that
// a group takes at a time, 2 or 4; a group has four chunks or more.
template <int radius, int length, int rows, bool tight, int chunk>
struct Resident {
  static constexpr int width = 32, height = 16, lanes = width / length;
  static constexpr int period = radius < 3 ? 8 : 4;   // planes over which the march is unrolled
  static constexpr int groups = length == 4 ? 4 : 2;  // an even number of them
  static constexpr int group_threads = lanes * height / rows, threads = groups * group_threads;
  static constexpr int all_threads = threads + 4 * 32;

  // A tile's plane in shared memory: rows -R … height-1+R, with `side` elements on either side.
  static constexpr int side = (radius + length - 1) / length * length, pitch = width + 2 * side;
  static constexpr int halo_pitch = tight ? width : pitch, indent = tight ? 0 : side;
  static constexpr int plane = 2 * radius * halo_pitch + height * pitch;
  static constexpr __host__ __device__ int place(int row) {  // of the row's first own column
    return row < 0        ? (row + radius) * halo_pitch + indent
           : row < height ? radius * halo_pitch + row * pitch + side
                          : radius * halo_pitch + height * pitch + (row - height) * halo_pitch + indent;
  }

  // Planes of a group, of which those beyond the box are never computed: an even number of whole chunks.
  static constexpr int planes_of(std::int64_t z) {
    return static_cast<int>((z + groups * 8 - 1) / (groups * 8)) * 8;
  }
};

// The barrier at which chunks of one parity begin: those who compute, and two of the couriers.
template <int threads>
__device__ __forceinline__ void meet(int parity) {
  asm volatile("bar.sync %0, %1;" ::"r"(parity + 1), "n"(threads + 64) : "memory");
}

__device__ __forceinline__ void publish(unsigned* flag, unsigned count) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(count) : "memory");
}

__device__ __forceinline__ unsigned published(const unsigned* flag) {
  unsigned count;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(flag) : "memory");
  return count;
}

// The planes that a group of a block takes, in the order in which it takes them.
struct Planes {
  int first, by;
  __device__ Planes(int group, int length)
      : first(group % 2 ? (group + 1) * length - 1 : group * length), by(group % 2 ? -1 : 1) {}
  __device__ __forceinline__ int at(int i) const { return first + i * by; }
};

// The couriers' part. `done`: two counters a block, chunks of even and of odd number whose faces are in
// global memory (one more than the last one's number).
template <int radius, int length, int rows, bool tight, int chunk, typename T>
__device__ __forceinline__ void carry(const Box& box, int planes, int steps, const T* u, T* v, T* w,
                                      unsigned* done, T* memory) {
  using R = Resident<radius, length, rows, tight, chunk>;
  const int courier = (static_cast<int>(threadIdx.x) - R::threads) / 32, parity = courier % 2;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int tile_x = static_cast<int>(blockIdx.x), tile_y = static_cast<int>(blockIdx.y),
            tiles_x = static_cast<int>(gridDim.x), tiles_y = static_cast<int>(gridDim.y);
  const int chunks = planes / chunk;
  if (courier >= 2) {
    for (int k = parity; k < steps * chunks; k += 2) {
      meet<R::threads>(parity);
      if (lane == 0 && k > 0)
        publish(done + 2 * (tile_y * tiles_x + tile_x) + (k - 1) % 2, static_cast<unsigned>(k));
    }
    return;
  }

  // The halo's vectors that the lane brings: where they are in a plane of the box, if there, and of the tile.
  constexpr int above_below = 2 * radius * R::lanes, across = 2 * R::side / length,
                vectors = above_below + R::height * across, shares = (vectors + 31) / 32;
  int source[shares], target[shares];
#pragma unroll
  for (int share = 0; share < shares; ++share) {
    const int i = share * 32 + lane, k = i - above_below, row_number = i / R::lanes;
    const int row = i >= above_below      ? k / across
                    : row_number < radius ? row_number - radius
                                          : row_number - radius + R::height;
    const int part = (i < above_below ? i % R::lanes : k % across) * length;
    const int column = i < above_below ? part : part < R::side ? part - R::side : R::width + part - R::side;
    const int x = tile_x * R::width + column, y = tile_y * R::height + row;
    const bool there = i < vectors && x >= 0 && x < box.x && y >= 0 && y < box.y;
    source[share] = there ? y * box.x + x : -1;
    target[share] = there ? R::place(row) + column : 0;
  }

  const int beside_x = tile_x + (lane == 0   ? -1
                                 : lane == 1 ? 1
                                             : 0),
            beside_y = tile_y + (lane == 2   ? -1
                                 : lane == 3 ? 1
                                             : 0);
  const bool watches = lane < 4 && beside_x >= 0 && beside_x < tiles_x && beside_y >= 0 && beside_y < tiles_y;
  const unsigned* const watched = done + 2 * (beside_y * tiles_x + beside_x) + parity;  // chunks are even
  int seen = 0;
  for (int step = 0; step < steps; ++step) {
    const T* const from = sweep_of(u, v, w, step, steps).from;
    for (int c = parity; c < chunks; c += 2) {
      if (step > 0 && watches)
        while (seen <= (step - 1) * chunks + c) seen = static_cast<int>(published(watched));
      __syncwarp();
#pragma unroll
      for (int share = 0; share < shares; ++share)
        if (source[share] >= 0)
#pragma unroll
          for (int group = 0; group < R::groups; ++group)
#pragma unroll
            for (int j = 0; j < chunk; ++j)
              if (const int z = Planes(group, planes).at(c * chunk + j); !in_rim<radius>(z, box.z))
                __pipeline_memcpy_async(memory + target[share] + z * R::plane,
                                        from + source[share] + z * box.plane, length * sizeof(T));
      __pipeline_commit();
      __pipeline_wait_prior(0);
      meet<R::threads>(parity);
    }
  }
}

// The part of those who compute.
template <int radius, int length, int rows, bool tight, int chunk, typename T>
__device__ __forceinline__ void compute(const Box& box, int planes, int steps, const T* u, T* v, T* w,
                                        T* memory) {
  using R = Resident<radius, length, rows, tight, chunk>;
  using Row = Vector<T, length>;
  // Planes that the queue is ahead of z+R: of two groups that meet, the one must have read the other's planes
  // before their results are written, but for those of the last chunk.
  constexpr int early = radius > chunk ? 2 : 0, reach = 2 * radius + early;
  constexpr Coefficients<radius, T> c;
  const int id = static_cast<int>(threadIdx.x), group = __shfl_sync(~0u, id / R::group_threads, 0);
  const int lane = id % R::lanes, row = id % R::group_threads / R::lanes * rows;
  const int x = static_cast<int>(blockIdx.x) * R::width + lane * length,
            y = static_cast<int>(blockIdx.y) * R::height + row;
  const Planes march(group, planes);
  const std::int64_t pitch = box.x, here = y * pitch + x;
  T* const own = memory + R::place(row) + lane * length;

  int to_row[rows + 2 * radius];  // rows y-R …, from `own`
#pragma unroll
  for (int i = 0; i < rows + 2 * radius; ++i)
    to_row[i] = tight ? R::place(row + i - radius) - R::place(row) : (i - radius) * R::pitch;
  bool inside[rows], shown[rows], fixed_row[rows], fixed[length], any_fixed = false;
#pragma unroll
  for (int j = 0; j < rows; ++j) {
    inside[j] = x < box.x && y + j < box.y;
    shown[j] = inside[j] && (row + j < radius || row + j >= R::height - radius || lane * length < R::side ||
                             lane * length >= R::width - R::side);
    fixed_row[j] = in_rim<radius>(y + j, box.y);
    any_fixed |= fixed_row[j];
  }
#pragma unroll
  for (int e = 0; e < length; ++e) {
    fixed[e] = in_rim<radius>(x + e, box.x);
    any_fixed |= fixed[e];
  }
  any_fixed = __any_sync(~0u, any_fixed);

  for (int i = 0; i < planes; ++i)
#pragma unroll
    for (int j = 0; j < rows; ++j)
      if (const int z = march.at(i); inside[j] && z < box.z)
        *reinterpret_cast<Row*>(own + z * R::plane + j * R::pitch) =
            load<length>(u + here + z * box.plane + j * pitch);

  Row result[chunk][rows];
  for (int step = 0; step < steps; ++step) {
    T* const to = sweep_of(u, v, w, step, steps).to + here;
    const bool last = step == steps - 1;
    Row queue[R::period + reach][rows];  // from plane z-R on
    for (int first = 0; first < planes; first += R::period)
#pragma unroll
      for (int at = 0; at < R::period; at += chunk) {
        meet<R::threads>((first + at) / chunk %
                         2);  // halos are in shared memory, the last chunk's planes free
        if (at > 0 || first > 0 || step > 0) {
          const int before = first + at > 0 ? first + at - chunk : planes - chunk;
#pragma unroll
          for (int i = 0; i < chunk; ++i)
#pragma unroll
            for (int j = 0; j < rows; ++j)
              *reinterpret_cast<Row*>(own + march.at(before + i) * R::plane + j * R::pitch) = result[i][j];
        }
        if (at == 0 && first == 0) {
#pragma unroll
          for (int k = 0; k < reach; ++k)
            if (const int z = march.at(k - radius); z >= 0 && z < box.z)
#pragma unroll
              for (int j = 0; j < rows; ++j) queue[k][j] = load<length>(own + z * R::plane + j * R::pitch);
        }
        if (at + early < R::period || first + R::period < planes)
#pragma unroll
          for (int i = 0; i < chunk; ++i)
#pragma unroll
            for (int j = 0; j < rows; ++j)
              queue[reach + at + i][j] =
                  load<length>(own + march.at(first + at + i + radius + early) * R::plane + j * R::pitch);

        const int z0 = march.at(first + at), z1 = march.at(first + at + chunk - 1);
        if (max(z0, z1) < radius || min(z0, z1) >= box.z - radius) {  // all in the rim
#pragma unroll
          for (int i = 0; i < chunk; ++i)
#pragma unroll
            for (int j = 0; j < rows; ++j) result[i][j] = queue[at + i + radius][j];
        } else {
#pragma unroll
          for (int i = 0; i < chunk; ++i) {
            const T* const place = own + march.at(first + at + i) * R::plane;
            const Row(&centre)[rows] = queue[at + i + radius];
            Row column[rows + 2 * radius];
#pragma unroll
            for (int k = 0; k < rows + 2 * radius; ++k)
              column[k] = k >= radius && k < radius + rows
                              ? centre[k < radius || k >= radius + rows ? 0 : k - radius]
                              : load<length>(place + to_row[k]);
#pragma unroll
            for (int j = 0; j < rows; ++j) {
              T line[length + 2 * R::side];
#pragma unroll
              for (int k = -R::side; k < length + R::side; k += length) {
                const Row part = k == 0 ? centre[j] : load<length>(place + j * R::pitch + k);
#pragma unroll
                for (int e = 0; e < length; ++e) line[R::side + k + e] = part[e];
              }
#pragma unroll
              for (int e = 0; e < length; ++e) {
                T sum = c.at[0] * centre[j][e];
#pragma unroll
                for (int k = 1; k <= radius; ++k)
                  sum += c.at[k] * (((line[R::side + e - k] + line[R::side + e + k]) +
                                     (column[radius + j - k][e] + column[radius + j + k][e])) +
                                    (queue[at + i + radius - k][j][e] + queue[at + i + radius + k][j][e]));
                result[i][j][e] = sum;
              }
            }
          }
          if (any_fixed || min(z0, z1) < radius || max(z0, z1) >= box.z - radius)
#pragma unroll
            for (int i = 0; i < chunk; ++i)
#pragma unroll
              for (int j = 0; j < rows; ++j)
#pragma unroll
                for (int e = 0; e < length; ++e)
                  if (fixed[e] || fixed_row[j] || in_rim<radius>(z0 + i * march.by, box.z))
                    result[i][j][e] = queue[at + i + radius][j][e];
        }
#pragma unroll
        for (int i = 0; i < chunk; ++i) {
          const int z = z0 + i * march.by;
          if (last ? z >= box.z : in_rim<radius>(z, box.z)) continue;
          T* const out = to + z * box.plane;
#pragma unroll
          for (int j = 0; j < rows; ++j)
            if (last ? inside[j] : shown[j]) *reinterpret_cast<Row*>(out + j * pitch) = result[i][j];
        }
        if (at + chunk == R::period && first + R::period < planes)
#pragma unroll
          for (int k = 0; k < reach; ++k)
#pragma unroll
            for (int j = 0; j < rows; ++j) queue[k][j] = queue[k + R::period][j];
      }
  }
}

// All steps from u to v, w being the array between. A block a tile, all of them resident at once; `planes` of
// a group.
template <int radius, int length, int rows, bool tight, int chunk, typename T>
__global__ void __launch_bounds__(Resident<radius, length, rows, tight, chunk>::all_threads, 1)
    resident(Box box, int planes, int steps, const T* u, T* v, T* w, unsigned* done) {
  using R = Resident<radius, length, rows, tight, chunk>;
  extern __shared__ __align__(16) unsigned char memory[];
  T* const tile = reinterpret_cast<T*>(memory);
  if (static_cast<int>(threadIdx.x) < R::threads)
    compute<radius, length, rows, tight, chunk>(box, planes, steps, u, v, w, tile);
  else
    carry<radius, length, rows, tight, chunk>(box, planes, steps, u, v, w, done, tile);
}

}  // namespace sextant::heat3d
