// The single sweep at the memory's speed, over any range of planes: `march` and `skewed`.
//
// A thread owns `rows` vectors of 16 bytes, one above the other, and marches along z. Planes z-R … z+R of its
// own points are in registers, and the next one is on its way, so that each value comes from memory once; the
// neighbours in the plane come out of the first-level cache, where the block's threads brought them R planes
// before. There is no shared memory and no barrier: nothing makes warps wait for each other.
#pragma once

#include "march_launch.cuh"

namespace sextant::heat3d {

// Elements by which a thread looks beyond its vector on either side: whole vectors.
template <int radius, int length>
inline constexpr int beside = (radius + length - 1) / length* length;

// Groups of `rows` rows: those between the rims along y, then single rows of the rims.
template <int radius, int rows>
struct RowGroups {
  int inner, all;
  __host__ __device__ explicit RowGroups(int ny)
      : inner(ny > 2 * radius ? (ny - 2 * radius + rows - 1) / rows : 0),
        all(inner + (ny < 2 * radius ? ny : 2 * radius)) {}
  __host__ __device__ int first_row(int group, int ny) const {
    if (group < inner) return radius + group * rows;
    const int row = group - inner;
    return row < radius || inner == 0 ? row : ny - 2 * radius + row;
  }
};

// Planes [first, last) of v from u, blockIdx.z taking `planes` of them; parts march up and down by turns, so
// that two that meet read the planes of both at the same time; `turn` (0 or 1) says where that begins.
// rotate: the loop over z is unrolled over a whole turn of the queue of planes, so that no value is moved;
// otherwise over four planes, after which the queue is moved up.
template <int radius, int length, int rows, bool rotate, typename T>
__global__ void __launch_bounds__(march_threads(radius, rows))
    march(Box box, int first, int last, int planes, int turn, const T* __restrict__ u, T* __restrict__ v) {
  using Row = Vector<T, length>;
  constexpr int reach = 2 * radius, side = beside<radius, length>, period = rotate ? reach + 2 : 4;
  constexpr int slots = rotate ? period : reach + period;
  constexpr Coefficients<radius, T> c;
  const RowGroups<radius, rows> groups(box.y);
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * length;
  const int group = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  int begin = first + static_cast<int>(blockIdx.z) * planes, end = min(begin + planes, last);
  if (x >= box.x || group >= groups.all || begin >= end) return;
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
  const int y = groups.first_row(group, box.y);
  const std::int64_t pitch = box.x, at = y * pitch + x;
  u += at;
  v += at;
  const int own_rows = group < groups.inner ? min(rows, box.y - radius - y) : 1;
  const auto keep = [&](int from, int to) {
    for (int j = 0; j < own_rows; ++j)
#pragma unroll 1
      for (int z = from; z < to; ++z)
        *reinterpret_cast<Row*>(v + z * plane + j * pitch) = load<length>(u + z * plane + j * pitch);
  };
  if (group >= groups.inner) return keep(begin, end);
  keep(begin, min(end, radius));
  keep(max(begin, box.z - radius), end);
  begin = max(begin, radius);
  end = min(end, box.z - radius);

  // A last row that is not the thread's own lies in the box or, by one row, in the next plane.
  Row queue[slots][rows];  // planes z-R … z+R and, where it rotates, the coming one, z+R+1
  Row coming[rows];
  const T* ahead = u + (begin - radius) * plane;  // the next plane to load
#pragma unroll
  for (int k = 0; k <= reach; ++k) {
    if (begin - radius + k < end + radius)
#pragma unroll
      for (int j = 0; j < rows; ++j)
        (rotate || k < reach ? queue[k % slots] : coming)[j] = load<length>(ahead + j * pitch);
    ahead += plane;
  }
  const T* here = u + begin * plane;
  T* to = v + begin * plane;
  bool fixed[length];  // elements in the rim along x
#pragma unroll
  for (int e = 0; e < length; ++e)
    fixed[e] = length < radius ? in_rim<radius>(x + e, box.x)
                               : (e < radius && x == 0) || (e >= length - radius && x == box.x - length);
  const auto advance = [&](int phase, bool more) {
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      if (!rotate) queue[(reach + phase) % slots][j] = coming[j];
      if (more) (rotate ? queue[(phase + reach + 1) % slots] : coming)[j] = load<length>(ahead + j * pitch);
    }
    const Row(&centre)[rows] = queue[(phase + radius) % slots];
    Row column[rows + reach];  // of this plane
#pragma unroll
    for (int i = 0; i < rows + reach; ++i)
      column[i] = i >= radius && i < radius + rows ? centre[i < radius || i >= radius + rows ? 0 : i - radius]
                                                   : load<length>(here + (i - radius) * pitch);
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      T line[length + 2 * side];  // of this row
#pragma unroll
      for (int i = -side; i < length + side; i += length) {
        const Row part = i == 0 ? centre[j] : load<length>(here + j * pitch + i);
#pragma unroll
        for (int e = 0; e < length; ++e) line[side + i + e] = part[e];
      }
      Row sum;
#pragma unroll
      for (int e = 0; e < length; ++e) {
        sum[e] = c.at[0] * centre[j][e];
#pragma unroll
        for (int k = 1; k <= radius; ++k)
          sum[e] += c.at[k] *
                    (((line[side + e - k] + line[side + e + k]) +
                      (column[radius + j - k][e] + column[radius + j + k][e])) +
                     (queue[(phase + radius - k) % slots][j][e] + queue[(phase + radius + k) % slots][j][e]));
        if (fixed[e]) sum[e] = centre[j][e];
      }
      if (j == 0 || j < own_rows) *reinterpret_cast<Row*>(to + j * pitch) = sum;
    }
    ahead += plane;
    here += plane;
    to += plane;
  };
  const auto shift = [&] {
#pragma unroll
    for (int k = 0; !rotate && k < reach; ++k)
#pragma unroll
      for (int j = 0; j < rows; ++j) queue[k][j] = queue[(k + period) % slots][j];
  };
  int z = begin;
  for (; z + period < end; z += period) {
#pragma unroll
    for (int phase = 0; phase < period; ++phase) advance(phase, true);
    shift();
  }
  for (; z < end; z += period) {
#pragma unroll
    for (int phase = 0; phase < period; ++phase) {
      if (z + phase >= end) break;
      advance(phase, z + phase + 1 < end);
    }
    shift();
  }
}

}  // namespace sextant::heat3d
