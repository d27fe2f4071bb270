// The single sweep with planes brought by bulk tensor copies: the kernel of `bulk` (cuda.bulk.cu has the idea).
//
// A block marches through its part along z, R planes behind what the copies bring: its first warp asks for planes
// (`Supply`), each thread takes its own points of a plane that has come into its queue of registers and computes
// the plane R behind (`BulkColumn`), whose neighbours along x and y it reads from the ring. Warps wait for planes,
// not for each other: barriers in shared memory count the bytes of a plane that have come and the threads that are
// done with it (CUDA C++ Programming Guide, asynchronous copies with the tensor memory access unit).
#pragma once

#include "../matmul/bulk_tensor.cuh"
#include "marching.cuh"

namespace sextant::heat3d {

inline constexpr int most_slots = 16;    // planes in the ring: more than any radius and `lead` ask for
inline constexpr int copied_bytes = 8;   // what a copy counts as an element, of which a row has at most
inline constexpr int most_copied = 256;  // so many

// A block's shape. Where it takes rows of memory whole, a row has no sides and `pitch` is the box's.
struct BulkTile {
  int width;   // points along x that the block computes
  int height;  // rows that it computes
  int pitch;   // points of a row in the ring
  int side;    // of them before the tile's first one
  int slots;   // planes in the ring

  __host__ __device__ int rows(int radius) const { return height + 2 * radius; }
  // Of a plane, so that each slot begins at a multiple of 128 bytes, as the copies ask for.
  __host__ __device__ int points(int radius) const { return (rows(radius) * pitch + 31) / 32 * 32; }
};

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

// What brings the planes low-R … high+R-1 of the tile, with its halo, into the ring in order: bulk tensor copies that
// the first warp asks for, one a plane; what is outside the box comes as zeros. come[slot] counts the bytes of a plane,
// done[slot] the threads that are done with it.
template <int radius, typename T>
struct Supply {
  const CUtensorMap* map;  // of u
  const BulkTile& tile;
  T* const ring;
  std::uint64_t *const come, *const done;
  const int slot_points, x0, y0, high;
  const int last;  // 0, or the box's last plane where that is the first one that is marched through
  const int thread;
  int asked;  // the next plane to ask for
  RingPlace next;

  // Asks for the next plane, if there is one; `taken`: when all threads are done with the plane in its place.
  __device__ __forceinline__ void ask(bool taken) {
    if (thread >= 32 || asked >= high + radius) return;
    if (taken) ArrivalBarrier(&done[next.slot]).wait(next.parity ^ 1);
    if (thread == 0) {
      const ArrivalBarrier barrier(&come[next.slot]);
      barrier.expect(tile.rows(radius) * tile.pitch * static_cast<int>(sizeof(T)));
      matmul::copy_boxes(ring + next.slot * slot_points, map,
                         (x0 - tile.side) * static_cast<int>(sizeof(T)) / copied_bytes, y0 - radius, barrier,
                         last > 0 ? last - asked : asked);
    }
    __syncwarp();
    ++asked;
    next.next(tile.slots);
  }
};

// A thread's column of `rows` vectors on its way along z. Scalars only; the queue is passed to each step, as beside an
// array the compiler keeps all else in memory until it has unrolled every loop.
template <int radius, int rows, typename T>
struct BulkColumn {
  static constexpr int length = vector_length<T>, reach = 2 * radius;
  static constexpr int side_vectors = (radius + length - 1) / length;
  using Row = Vector<T, length>;
  using Rows = Row[rows];
  using Queue = Rows[reach + 1];  // planes z-R … z+R

  const BulkTile& tile;
  const int slot_points;
  std::uint64_t *const come, *const done;
  const T* const own;               // the first vector in the ring's first slot
  const std::int64_t pitch, plane;  // of v
  const int own_rows, y, box_y;
  T* to;             // where this plane's results go
  RingPlace front;   // of plane z + R
  RingPlace centre;  // of this plane

  // Waits for plane z + R and takes the thread's own points of it.
  __device__ __forceinline__ void take(Rows& points) {
    ArrivalBarrier(&come[front.slot]).wait(front.parity);
#pragma unroll
    for (int j = 0; j < rows; ++j) points[j] = load<length>(own + front.slot * slot_points + j * tile.pitch);
    front.next(tile.slots);
  }

  // Says that the thread is done with this plane.
  __device__ __forceinline__ void release() {
    ArrivalBarrier(&done[centre.slot]).arrive();
    centre.next(tile.slots);
  }

  // Computes and stores this plane; `fixed`: elements in the rim along x.
  __device__ __forceinline__ void compute(const Queue& queue, const bool (&fixed)[length]) {
    Row sum[rows];
    sum_along_z<radius>([&](int k) -> const Rows& { return queue[radius + k]; }, sum);
    const T* const here = own + centre.slot * slot_points;
    add_along_y<radius>(
        queue[radius], [&](int i) { return load<length>(here + i * tile.pitch); }, sum);
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      add_along_x(queue[radius][j], here + j * tile.pitch, sum[j]);
#pragma unroll
      for (int e = 0; e < length; ++e)
        if (fixed[e] || in_rim<radius>(y + j, box_y)) sum[j][e] = queue[radius][j][e];
      if (j < own_rows) *reinterpret_cast<Row*>(to + j * pitch) = sum[j];
    }
    to += plane;
    release();
  }

  // sum += c[k] * the points at distance k on either side of a row's own, which are `row` and lie at `here`.
  static __device__ __forceinline__ void add_along_x(const Row& row, const T* here, Row& sum) {
    constexpr Coefficients<radius, T> c;
    T line[(2 * side_vectors + 1) * length];
#pragma unroll
    for (int i = -side_vectors; i <= side_vectors; ++i) {
      const Row part = i == 0 ? row : load<length>(here + i * length);
#pragma unroll
      for (int e = 0; e < length; ++e) line[(side_vectors + i) * length + e] = part[e];
    }
#pragma unroll
    for (int e = 0; e < length; ++e)
#pragma unroll
      for (int k = 1; k <= radius; ++k)
        sum[e] += c.at[k] * (line[side_vectors * length + e - k] + line[side_vectors * length + e + k]);
  }

  // Moves the queue up by a plane. Taking its places in turn instead makes a loop of 2R + 1 planes, which was
  // slower: 379 instead of 459 G points/s for R = 4 in floats on an H200.
  static __device__ __forceinline__ void shift(Queue& queue) {
#pragma unroll
    for (int k = 0; k < reach; ++k)
#pragma unroll
      for (int j = 0; j < rows; ++j) queue[k][j] = queue[k + 1][j];
  }
};

// Makes the barriers of the ring's slots ready for the block's `threads` threads.
__device__ __forceinline__ void start_barriers(int slots, int thread, int threads, std::uint64_t* come,
                                               std::uint64_t* done) {
  if (thread < slots) {
    ArrivalBarrier(&come[thread]).start(1);
    ArrivalBarrier(&done[thread]).start(threads);
  }
  matmul::publish_barriers();
  __syncthreads();
}

// Copies planes [from, to) of a thread's column of `rows` rows from (x, y) on: those of the rims.
template <int length, typename T>
__device__ __forceinline__ void keep_planes(const T* u, T* v, int from, int to, const std::int64_t& plane,
                                            const std::int64_t& pitch, int x, int y, int rows) {
  for (int z = from; z < to; ++z)
    for (int j = 0; j < rows; ++j) {
      const std::int64_t at = z * plane + (y + j) * pitch + x;
      *reinterpret_cast<Vector<T, length>*>(v + at) = load<length>(u + at);
    }
}

// v from u, blockIdx.z taking `planes` planes.
template <int radius, int rows, typename T>
__global__ void __launch_bounds__(bulk_threads(radius, rows))
    bulk(Box box, BulkTile tile, int planes, int turn, const __grid_constant__ CUtensorMap map,
         const T* __restrict__ u, T* __restrict__ v) {
  if constexpr (matmul::have_bulk_tensor_copies) {
    using Column = BulkColumn<radius, rows, T>;
    constexpr int length = Column::length, reach = Column::reach;
    extern __shared__ __align__(128) unsigned char shared[];
    __shared__ std::uint64_t come[most_slots], done[most_slots];
    T* const ring = reinterpret_cast<T*>(shared);
    const int slot_points = tile.points(radius), threads = static_cast<int>(blockDim.x);
    const int thread = static_cast<int>(threadIdx.x);
    const int x0 = static_cast<int>(blockIdx.x) * tile.width, y0 = static_cast<int>(blockIdx.y) * tile.height;
    int begin = static_cast<int>(blockIdx.z) * planes, end = min(begin + planes, box.z);
    start_barriers(tile.slots, thread, threads, come, done);
    wait_for_last_launch();

    std::int64_t plane = box.plane;
    march_by_turns(box, turn, begin, end, plane, u, v);
    const int low = max(begin, radius), high = min(end, box.z - radius);  // planes between the rims
    Supply<radius, T> supply{&map,        tile,        ring, come, done,
                             slot_points, x0,          y0,   high, plane < 0 ? box.z - 1 : 0,
                             thread,      low - radius};
    if (low < high)
      for (int i = 0; i < tile.slots; ++i) supply.ask(false);

    const int across = tile.width / length;
    const int x = x0 + thread % across * length, row = thread / across * rows, y = y0 + row;
    const int own_rows = x < box.x ? max(0, min(rows, box.y - y)) : 0;
    const std::int64_t pitch = box.pitch;
    const auto keep = [&](int from, int to) {
      keep_planes<length>(u, v, from, to, plane, pitch, x, y, own_rows);
    };
    keep(begin, min(end, radius));
    keep(max(begin, box.z - radius), end);
    if (low >= high) return;

    bool fixed[length];
#pragma unroll
    for (int e = 0; e < length; ++e) fixed[e] = in_rim<radius>(x + e, box.x);
    const T* const own = ring + (radius + row) * tile.pitch + tile.side + (x - x0);
    Column column{tile, slot_points, come, done, own, pitch, plane, own_rows, y, box.y};
    column.to = v + low * plane + y * pitch + x;
    typename Column::Queue queue;
#pragma unroll
    for (int k = 0; k < reach; ++k) {
      if (k > radius) supply.ask(true);
      column.take(queue[k]);
      if (k >= radius) column.release();  // planes below the first are read by their own threads only
    }
    for (int z = low; z < high; ++z) {
      supply.ask(true);
      column.take(queue[reach]);
      column.compute(queue, fixed);
      Column::shift(queue);
    }
  }
}

// ---- on the host

// A map by which planes of a tile, with its halo, are copied from u; false where the driver refuses it.
template <typename T>
bool describe_planes(const T* u, const Box& box, const BulkTile& tile, int radius, CUtensorMap* map) {
  const auto encode = matmul::tensor_map_encoder();
  if (!encode) return false;
  const auto elements = [](std::int64_t points) {
    return static_cast<cuuint64_t>(points * static_cast<std::int64_t>(sizeof(T)) / copied_bytes);
  };
  const cuuint64_t extents[3] = {elements(box.pitch), static_cast<cuuint64_t>(box.y),
                                 static_cast<cuuint64_t>(box.z)};
  const cuuint64_t strides[2] = {box.pitch * sizeof(T), box.plane * sizeof(T)};
  const cuuint32_t sides[3] = {static_cast<cuuint32_t>(elements(tile.pitch)),
                               static_cast<cuuint32_t>(tile.rows(radius)), 1};
  const cuuint32_t steps[3] = {1, 1, 1};
  return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 3, const_cast<T*>(u), extents, strides, sides, steps,
                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace sextant::heat3d
