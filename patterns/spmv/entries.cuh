// A matrix as threads read it: four entries at a time, by 16-byte accesses. Columns and values are read once: they pass by
// the first-level cache and are the first to leave the second, whose room is x's.
#pragma once

#include "loop.hpp"
#include "matrix.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::spmv {

inline constexpr int width = 4;

template <typename T>
struct Matrix {
  int rows, entries;
  const std::int32_t *row, *col;
  const T *val, *x;

  explicit Matrix(const Call& call)
      : rows(static_cast<int>(rows_of(call.problem))), entries(static_cast<int>(entries_of(call.problem))) {
    const Arrays<T> arrays(call);
    row = arrays.row, col = arrays.col, val = arrays.val, x = arrays.x;
  }
};

__device__ __forceinline__ uint4 read_once(const void* from) {
  unsigned long long leaves_first;
  uint4 bits;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(leaves_first));
  asm("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
      : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)
      : "l"(from), "l"(leaves_first));
  return bits;
}

// `width` elements at a multiple of 16 bytes.
template <typename T>
__device__ __forceinline__ Vector<T, width> read_vector(const T* from) {
  constexpr int accesses = width * static_cast<int>(sizeof(T)) / 16, each = width / accesses;
  Vector<T, width> vector;
#pragma unroll
  for (int i = 0; i < accesses; ++i) reinterpret_cast<uint4*>(&vector)[i] = read_once(from + i * each);
  return vector;
}

// Entries at … at + width - 1 of a matrix, of which some count.
template <typename T>
struct Entries {
  Vector<std::int32_t, width> col;
  Vector<T, width> val;
  unsigned counted = 0;  // bit k: entry at + k

  // at: a multiple of the width, begin less width - 1 at least; entries begin … end-1 count.
  __device__ __forceinline__ void load(const Matrix<T>& a, int at, int begin, int end) {
    counted = 0;
    if (at >= end) return;
#pragma unroll
    for (int k = 0; k < width; ++k) counted |= (at + k >= begin && at + k < end ? 1u : 0u) << k;
    if (at + width <= a.entries) {
      col = read_vector(a.col + at);
      val = read_vector(a.val + at);
      return;
    }
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (counted >> k & 1) col[k] = a.col[at + k], val[k] = a.val[at + k];
  }

  // Products, 0 of what does not count.
  __device__ __forceinline__ Vector<T, width> products(const T* __restrict__ x) const {
    Vector<T, width> products;
#pragma unroll
    for (int k = 0; k < width; ++k) products[k] = counted >> k & 1 ? val[k] * __ldg(x + col[k]) : T(0);
    return products;
  }
  __device__ __forceinline__ T sum(const T* __restrict__ x) const {
    const Vector<T, width> all = products(x);
    return (all[0] + all[1]) + (all[2] + all[3]);
  }
};

}  // namespace sextant::spmv
