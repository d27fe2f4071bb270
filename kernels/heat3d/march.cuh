// The single sweep at the memory's speed, over any range of planes: `march` and `skewed`.
//
// A block owns a tile of x and y and marches along z. Planes arrive in a ring in shared memory, by
// asynchronous copies that run `ahead` planes ahead, with the halo along x and y; a thread has `rows` vectors
// of 16 bytes one above the other and keeps its own columns, planes z-R … z+R, in registers. So each point is
// read from shared memory once as its own, and its neighbours in the plane by vectors: 4 + 4 * 2R / rows + 8
// bytes a point of floats, against 16 bytes of operands for each distance otherwise.
#pragma once

#include "march_launch.cuh"
#include "plane_sum.cuh"

namespace sextant::heat3d {

// Planes [first, last) of v from u, blockIdx.z taking `planes` of them.
template <int radius, int threads_x, int rows, typename T>
__global__ void __launch_bounds__(march_threads(rows))
    march(Box box, int first, int last, int planes, const T* __restrict__ u, T* __restrict__ v) {
  constexpr int length = vector_length<T>, side = margin<radius, T>, width = threads_x * length;
  constexpr int pitch = width + 2 * side, ring = radius + 1 + ahead;
  using Row = Vector<T, length>;
  extern __shared__ __align__(16) unsigned char memory[];
  T* const tiles = reinterpret_cast<T*>(memory);
  const int thread_x = static_cast<int>(threadIdx.x), thread_y = static_cast<int>(threadIdx.y);
  const int height = static_cast<int>(blockDim.y) * rows, tile = (height + 2 * radius) * pitch;
  const int left = static_cast<int>(blockIdx.x) * width, top = static_cast<int>(blockIdx.y) * height;
  const int begin = first + static_cast<int>(blockIdx.z) * planes, end = min(begin + planes, last);
  if (begin >= end) return;
  const bool whole = box.x % length == 0;
  const int x = left + thread_x * length, y = top + thread_y * rows;
  const int own =
      (thread_y * rows + radius) * pitch + side + thread_x * length;  // of the first row, in a tile

  const auto fetch = [&](int z) {  // a group of copies a plane, also where there is nothing to copy
    if (z < min(end + radius, box.z)) {
      T* const to = tiles + (z - begin) % ring * tile;
      for (int j = thread_y; j < height + 2 * radius; j += static_cast<int>(blockDim.y)) {
        const int row = top + j - radius;
        if (row < 0 || row >= box.y) continue;
        const T* const from = u + z * box.plane + static_cast<std::int64_t>(row) * box.x;
        copy_row_async<threads_x, width>(from, left, box.x, whole, thread_x, to + j * pitch + side);
        copy_row_async<threads_x, side>(from, left - side, box.x, whole, thread_x, to + j * pitch);
        copy_row_async<threads_x, side>(from, left + width, box.x, whole, thread_x,
                                        to + j * pitch + side + width);
      }
    }
    __pipeline_commit();
  };
  for (int z = begin; z < begin + radius + ahead; ++z) fetch(z);

  Row queue[2 * radius + 1][rows] = {};  // planes z-R … z+R; beyond the box: what goes unused
#pragma unroll
  for (int k = 0; k < radius; ++k)  // those below the first plane; the others come through shared memory
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      const int z = begin - radius + k;
#pragma unroll
      for (int e = 0; e < length; ++e)
        if (z >= 0 && y + j < box.y && x + e < box.x)
          queue[k + 1][j][e] = u[z * box.plane + static_cast<std::int64_t>(y + j) * box.x + x + e];
    }
  const auto take = [&](int z, Row(&to)[rows]) {
    const T* const from = tiles + (z - begin) % ring * tile + own;
#pragma unroll
    for (int j = 0; j < rows; ++j) to[j] = load<length>(from + j * pitch);
  };
  __pipeline_wait_prior(ahead);  // planes begin … begin + R - 1 are here
  __syncthreads();
#pragma unroll
  for (int k = 0; k < radius; ++k) take(begin + k, queue[radius + 1 + k]);

  // Unrolled over a whole turn of the queue no value is moved; from radius 3 on that costs too many
  // registers.
  constexpr int period = radius <= 2 ? 2 * radius + 1 : 1;
  for (int start = begin; start < end; start += period) {
#pragma unroll
    for (int phase = 0; phase < period; ++phase) {
      const int z = start + phase;
      if (z >= end) break;
      __pipeline_wait_prior(ahead - 1);  // plane z + R is here
      __syncthreads();                   // for all threads; and plane z - 1 is no longer read
      fetch(z + radius + ahead);
#pragma unroll
      for (int k = 0; k < 2 * radius; ++k)
#pragma unroll
        for (int j = 0; j < rows; ++j) queue[k][j] = queue[k + 1][j];
      take(z + radius, queue[2 * radius]);
      Row(&centre)[rows] = queue[radius];
      Row sum[rows];
      const bool rim = in_rim<radius>(z, box.z);
      if (!rim) {
        sum_plane<radius, rows, pitch>(centre, tiles + (z - begin) % ring * tile + own, sum);
#pragma unroll
        for (int k = 1; k <= radius; ++k)
          add_planes<radius, rows>(k, queue[radius - k], queue[radius + k], sum);
      }
#pragma unroll
      for (int j = 0; j < rows; ++j) {
        if (y + j >= box.y || x >= box.x) continue;
        if (rim || in_rim<radius>(y + j, box.y))
          sum[j] = centre[j];
        else
          keep_ends<radius>(x, box.x, centre[j], sum[j]);
        store_vector(v + z * box.plane + static_cast<std::int64_t>(y + j) * box.x, x, box.x, whole, sum[j]);
      }
    }
  }
  __pipeline_wait_prior(0);
}

}  // namespace sextant::heat3d
