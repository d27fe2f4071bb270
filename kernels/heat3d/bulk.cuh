// The single sweep with planes brought by bulk copies: the kernel of `bulk`.
//
// A block owns a tile of some rows and marches along z. Its first warp asks for planes of the tile with its
// halo: bulk copies bring them into a ring in shared memory, `lead` planes ahead, at no cost to the threads.
// Each thread owns `rows` vectors of 16 bytes, one above the other: of the plane that has just come it takes
// its own points into registers, where planes z-R … z+R of them wait their turn, so that each value comes
// from memory once; for the plane R behind it reads the neighbours along x and y from the ring. Warps wait
// for planes, not for each other: barriers in shared memory count the bytes of a plane that have come and the
// threads that are done with it (CUDA C++ Programming Guide, asynchronous copies with the tensor memory
// access unit). Compute capability 9.0 and later.
#pragma once

#include "arrival_barrier.cuh"
#include "march_launch.cuh"

namespace sextant::heat3d {

inline constexpr int most_slots = 16;  // planes in the ring: more than any radius and `lead` ask for

// A block's shape. Where it takes the box's rows whole, a row has no sides and `pitch` is the box's.
struct BulkTile {
  int width;   // points along x that the block computes
  int height;  // rows that it computes
  int pitch;   // points of a row in the ring
  int side;    // of them before the tile's first one
  int slots;   // planes in the ring

  __host__ __device__ int points(int radius) const { return (height + 2 * radius) * pitch; }  // of a plane
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
inline constexpr bool have_bulk_copies = true;
#else
inline constexpr bool have_bulk_copies = false;
#endif

// `bytes` from global to shared memory, multiples of 16 at multiples of 16; `barrier` counts them.
__device__ __forceinline__ void copy_bulk(void* to, const void* from, int bytes, ArrivalBarrier barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(bytes), "r"(barrier.at)
      : "memory");
}

// Steps round a ring: the slot, and how often (modulo 2) its barrier has been passed.
struct RingPlace {
  int slot = 0, parity = 0;
  __device__ __forceinline__ void next(int slots) {
    if (++slot == slots) slot = 0, parity ^= 1;
  }
};

// Threads that compute, at most, for the registers that each needs.
constexpr int bulk_threads(int radius, int rows) {
  if (rows == 1) return radius <= 2 ? 1024 : 768;
  if (rows == 2) return radius == 1 ? 768 : 512;
  return radius == 1 ? 640 : radius == 2 ? 384 : 256;
}

// v from u, blockIdx.z taking `planes` planes; parts march up and down by turns, so
// that two that meet read the planes of both at the same time, and a sweep begins where the last one ended.
template <int radius, int rows, typename T>
__global__ void __launch_bounds__(bulk_threads(radius, rows))
    bulk(Box box, BulkTile tile, int planes, int turn, const T* __restrict__ u, T* __restrict__ v) {
  if constexpr (have_bulk_copies) {
    constexpr int length = vector_length<T>, reach = 2 * radius;
    constexpr int side_vectors = (radius + length - 1) / length;
    using Row = Vector<T, length>;
    constexpr Coefficients<radius, T> c;
    extern __shared__ __align__(128) unsigned char shared[];
    __shared__ std::uint64_t come[most_slots], done[most_slots];
    T* const ring = reinterpret_cast<T*>(shared);
    const int slot_points = tile.points(radius), threads = static_cast<int>(blockDim.x);
    const int thread = static_cast<int>(threadIdx.x), lane = thread & 31;
    const int x0 = static_cast<int>(blockIdx.x) * tile.width, y0 = static_cast<int>(blockIdx.y) * tile.height;
    int begin = static_cast<int>(blockIdx.z) * planes, end = min(begin + planes, box.z);
    if (thread < tile.slots) {
      ArrivalBarrier(&come[thread]).start(1);
      ArrivalBarrier(&done[thread]).start(threads);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    wait_for_last_launch();

    std::int64_t plane = box.plane;
    if ((blockIdx.z + static_cast<unsigned>(turn)) & 1) {  // down: up in the mirrored box
      const int mirrored = box.z - end;
      end = box.z - begin;
      begin = mirrored;
      u += (box.z - 1) * plane;
      v += (box.z - 1) * plane;
      plane = -plane;
    }
    const int low = max(begin, radius), high = min(end, box.z - radius);  // planes between the rims

    // The first warp asks for planes: for as many as the ring holds at once, for each further one when all
    // warps are done with the plane that has its place.
    int asked = low - radius;
    RingPlace next;
    const auto ask = [&](bool taken) {
      if (thread >= 32 || asked >= high + radius) return;
      if (taken) ArrivalBarrier(&done[next.slot]).wait(next.parity ^ 1);
      const int from_x = max(0, x0 - tile.side), width = min(box.x, x0 - tile.side + tile.pitch) - from_x;
      const int from_y = max(0, y0 - radius), height = min(box.y, y0 + tile.height + radius) - from_y;
      const bool whole = tile.pitch == box.x;  // then the rows follow one another
      const int copies = whole ? 1 : height, bytes = width * static_cast<int>(sizeof(T));
      const ArrivalBarrier barrier(&come[next.slot]);
      if (lane == 0) barrier.expect(bytes * height);
      __syncwarp();
      const T* const from = u + asked * plane + static_cast<std::int64_t>(from_y) * box.x + from_x;
      T* const to = ring + next.slot * slot_points + (from_y - (y0 - radius)) * tile.pitch +
                    (from_x - (x0 - tile.side));
      for (int i = lane; i < copies; i += 32)
        copy_bulk(to + i * tile.pitch, from + static_cast<std::int64_t>(i) * box.x,
                  whole ? bytes * height : bytes, barrier);
      ++asked;
      next.next(tile.slots);
    };
    if (low < high)
      for (int i = 0; i < tile.slots; ++i) ask(false);

    const int across = tile.width / length;
    const int x = x0 + thread % across * length, row = thread / across * rows, y = y0 + row;
    const int own_rows = x < box.x ? max(0, min(rows, box.y - y)) : 0;
    const std::int64_t pitch = box.x;
    const auto keep = [&](int from, int to) {  // planes of the rims along z
      for (int z = from; z < to; ++z)
        for (int j = 0; j < own_rows; ++j) {
          const std::int64_t at = z * plane + (y + j) * pitch + x;
          *reinterpret_cast<Row*>(v + at) = load<length>(u + at);
        }
    };
    keep(begin, min(end, radius));
    keep(max(begin, box.z - radius), end);
    if (low >= high) return;

    bool fixed[length];  // elements in the rim along x
#pragma unroll
    for (int e = 0; e < length; ++e) fixed[e] = in_rim<radius>(x + e, box.x);
    const T* const own = ring + (radius + row) * tile.pitch + tile.side + (x - x0);
    T* to = v + low * plane + y * pitch + x;
    Row queue[reach + 1][rows];  // planes z-R … z+R of the thread's own points
    RingPlace front, centre;
    const auto take = [&](Row(&points)[rows]) {
      ArrivalBarrier(&come[front.slot]).wait(front.parity);
#pragma unroll
      for (int j = 0; j < rows; ++j)
        points[j] = load<length>(own + front.slot * slot_points + j * tile.pitch);
      front.next(tile.slots);
    };
    const auto release = [&] {
      ArrivalBarrier(&done[centre.slot]).arrive();
      centre.next(tile.slots);
    };
#pragma unroll
    for (int k = 0; k < reach; ++k) {
      if (k > radius) ask(true);
      take(queue[k]);
      if (k >= radius) release();  // planes below the first are read by their own threads only
    }
    const auto advance = [&] {
      ask(true);
      take(queue[reach]);
      const T* const here = own + centre.slot * slot_points;
      Row sum[rows];
#pragma unroll
      for (int j = 0; j < rows; ++j)
#pragma unroll
        for (int e = 0; e < length; ++e) {
          sum[j][e] = c.at[0] * queue[radius][j][e];
#pragma unroll
          for (int k = 1; k <= radius; ++k)
            sum[j][e] += c.at[k] * (queue[radius - k][j][e] + queue[radius + k][j][e]);
        }
        // The column: each of its rows adds to all whose neighbour it is.
#pragma unroll
      for (int i = -radius; i < rows + radius; ++i) {
        Row line;
        if (i >= 0 && i < rows)
          line = queue[radius][i < 0 || i >= rows ? 0 : i];
        else
          line = load<length>(here + i * tile.pitch);
#pragma unroll
        for (int j = 0; j < rows; ++j) {
          const int k = i < j ? j - i : i - j;
          if (k < 1 || k > radius) continue;
#pragma unroll
          for (int e = 0; e < length; ++e) sum[j][e] += c.at[k] * line[e];
        }
      }
#pragma unroll
      for (int j = 0; j < rows; ++j) {
        T line[(2 * side_vectors + 1) * length];  // of this row
#pragma unroll
        for (int i = -side_vectors; i <= side_vectors; ++i) {
          const Row part = i == 0 ? queue[radius][j] : load<length>(here + j * tile.pitch + i * length);
#pragma unroll
          for (int e = 0; e < length; ++e) line[(side_vectors + i) * length + e] = part[e];
        }
#pragma unroll
        for (int e = 0; e < length; ++e) {
#pragma unroll
          for (int k = 1; k <= radius; ++k)
            sum[j][e] +=
                c.at[k] * (line[side_vectors * length + e - k] + line[side_vectors * length + e + k]);
          if (fixed[e] || in_rim<radius>(y + j, box.y)) sum[j][e] = queue[radius][j][e];
        }
        if (j < own_rows) *reinterpret_cast<Row*>(to + j * pitch) = sum[j];
      }
      to += plane;
      release();
      // The queue moves up. Taking its places in turn instead makes a loop of 2R + 1 planes, which was
      // slower: 379 instead of 459 G points/s for R = 4 in floats.
#pragma unroll
      for (int k = 0; k < reach; ++k)
#pragma unroll
        for (int j = 0; j < rows; ++j) queue[k][j] = queue[k + 1][j];
    };
    for (int z = low; z < high; ++z) advance();
  }
}

}  // namespace sextant::heat3d
