// The part of a stencil's sum that lies in one plane, for a thread that owns `rows` vectors of neighbouring
// points one above the other: its own points are in registers, the others in shared memory.
#pragma once

#include <cuda_pipeline.h>

#include "point.cuh"

namespace sextant::heat3d {

// Elements by which a row in shared memory reaches beyond its tile on either side: whole vectors.
template <int radius, typename T>
inline constexpr int margin = (radius + vector_length<T> - 1) / vector_length<T>* vector_length<T>;

// sum[j] = c[0] * own[j] + the neighbours along x and y, c[k] times each. `centre` is the place of own[0] in
// shared memory, whose rows lie `pitch` elements apart.
template <int radius, int rows, int pitch, typename T>
__device__ __forceinline__ void sum_plane(const Vector<T, vector_length<T>> (&own)[rows], const T* centre,
                                          Vector<T, vector_length<T>> (&sum)[rows]) {
  constexpr int length = vector_length<T>;
  constexpr Coefficients<radius, T> c;
#pragma unroll
  for (int j = 0; j < rows; ++j)
#pragma unroll
    for (int e = 0; e < length; ++e) sum[j][e] = c.at[0] * own[j][e];
#pragma unroll
  for (int i = -radius; i < rows + radius; ++i) {  // row i is loaded once for all that it is a neighbour of
    const auto row = i >= 0 && i < rows ? own[i < 0      ? 0
                                              : i < rows ? i
                                                         : 0]
                                        : load<length>(centre + i * pitch);
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      const int k = i < j ? j - i : i - j;
      if (k > 0 && k <= radius)
#pragma unroll
        for (int e = 0; e < length; ++e) sum[j][e] += c.at[k] * row[e];
    }
  }
#pragma unroll
  for (int j = 0; j < rows; ++j) {
    constexpr int side = margin<radius, T>;
    T line[length + 2 * side];  // what lies at x - side … x + length - 1 + side
#pragma unroll
    for (int at = -side; at < length + side; at += length) {
      if (at == 0) {
#pragma unroll
        for (int e = 0; e < length; ++e) line[side + e] = own[j][e];
      } else if (radius == 1) {  // one point of the vector is wanted
        line[side + (at < 0 ? -1 : length)] = centre[j * pitch + (at < 0 ? -1 : length)];
      } else {
        const auto beside = load<length>(centre + j * pitch + at);
#pragma unroll
        for (int e = 0; e < length; ++e) line[side + at + e] = beside[e];
      }
    }
#pragma unroll
    for (int k = 1; k <= radius; ++k)
#pragma unroll
      for (int e = 0; e < length; ++e) sum[j][e] += c.at[k] * (line[side + e - k] + line[side + e + k]);
  }
}

// sum[j] += c[k] * (below + above), the same points of the planes at distance k.
template <int radius, int rows, typename T>
__device__ __forceinline__ void add_planes(int k, const Vector<T, vector_length<T>> (&below)[rows],
                                           const Vector<T, vector_length<T>> (&above)[rows],
                                           Vector<T, vector_length<T>> (&sum)[rows]) {
  constexpr Coefficients<radius, T> c;
#pragma unroll
  for (int j = 0; j < rows; ++j)
#pragma unroll
    for (int e = 0; e < vector_length<T>; ++e) sum[j][e] += c.at[k] * (below[j][e] + above[j][e]);
}

// Puts the old values back where points lie in the rim along x; x is the vector's first point.
template <int radius, typename T>
__device__ __forceinline__ void keep_ends(int x, int nx, const Vector<T, vector_length<T>>& own,
                                          Vector<T, vector_length<T>>& sum) {
#pragma unroll
  for (int e = 0; e < vector_length<T>; ++e)
    if (in_rim<radius>(x + e, nx)) sum[e] = own[e];
}

// Stores a vector at row[x]; `whole`: rows hold whole vectors, so that it is aligned and does not reach past
// the end.
template <typename T>
__device__ __forceinline__ void store_vector(T* row, int x, int nx, bool whole,
                                             const Vector<T, vector_length<T>>& vector) {
  constexpr int length = vector_length<T>;
  if (whole) {
    *reinterpret_cast<Vector<T, length>*>(row + x) = vector;
    return;
  }
#pragma unroll
  for (int e = 0; e < length; ++e)
    if (x + e < nx) row[x + e] = vector[e];
}

// Starts copying `width` elements of a row, x … x + width - 1, to shared memory, as far as they lie in [0,
// nx): by the threads with thread_x = 0 … threads - 1, whole vectors where rows hold whole ones.
template <int threads, int width, typename T>
__device__ __forceinline__ void copy_row_async(const T* row, int x, int nx, bool whole, int thread_x, T* to) {
  constexpr int length = vector_length<T>;
  if (whole) {
#pragma unroll
    for (int at = 0; at < width; at += threads * length) {
      const int i = at + thread_x * length;
      if (i < width && x + i >= 0 && x + i < nx)
        __pipeline_memcpy_async(to + i, row + x + i, length * sizeof(T));
    }
    return;
  }
  for (int i = thread_x; i < width; i += threads)
    if (x + i >= 0 && x + i < nx) __pipeline_memcpy_async(to + i, row + x + i, sizeof(T));
}

}  // namespace sextant::heat3d
