// Loads the nonzeros of a matrix, four at a time, by 16-byte accesses. Each is used only once, so the loads
// bypass the L1 cache and are evicted first from the L2 cache. This leaves room for x.
#pragma once

#include "loop.hpp"
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

// A stripe: columns begin … end - 1. If a product is computed stripe by stripe, the elements of x that are in
// use stay in the L2 cache.
struct Stripe {
  int begin, end;

  // Stripe s of `stripes` equal stripes of a matrix with `columns` columns.
  Stripe(int columns, int s, int stripes)
      : begin(place(columns, s, stripes)), end(place(columns, s + 1, stripes)) {}
  __device__ __forceinline__ bool has(int column) const { return column >= begin && column < end; }

 private:
  static int place(int columns, int s, int stripes) {
    return static_cast<int>(std::int64_t{columns} * s / stripes);
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

// Loads `width` elements at a 16-byte-aligned address.
template <typename T>
__device__ __forceinline__ Vector<T, width> read_vector(const T* from) {
  constexpr int accesses = width * static_cast<int>(sizeof(T)) / 16, each = width / accesses;
  Vector<T, width> vector;
#pragma unroll
  for (int i = 0; i < accesses; ++i) reinterpret_cast<uint4*>(&vector)[i] = read_once(from + i * each);
  return vector;
}

// The nonzeros at … at + width - 1 of a matrix, some of which may be masked out (not counted). Columns must
// be loaded first. Values are then loaded unless all nonzeros are masked out.
template <typename T>
struct Entries {
  Vector<std::int32_t, width> col;
  Vector<T, width> val;
  unsigned counted = 0;  // bit k is set if nonzero at + k is counted

  // Loads columns and counts only nonzeros begin … end - 1. `at` is a multiple of `width` and greater than
  // begin - width.
  __device__ __forceinline__ void load_columns(const Matrix<T>& a, int at, int begin, int end) {
    counted = 0;
    if (at >= end) return;
#pragma unroll
    for (int k = 0; k < width; ++k) counted |= (at + k >= begin && at + k < end ? 1u : 0u) << k;
    if (at + width <= a.entries) {
      col = read_vector(a.col + at);
      return;
    }
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (counted >> k & 1) col[k] = a.col[at + k];
  }

  // Masks out nonzeros outside the stripe.
  __device__ __forceinline__ void keep(const Stripe& stripe) {
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (!stripe.has(col[k])) counted &= ~(1u << k);
  }

  __device__ __forceinline__ void load_values(const Matrix<T>& a, int at) {
    if (counted == 0) return;
    if (at + width <= a.entries) {
      val = read_vector(a.val + at);
      return;
    }
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (counted >> k & 1) val[k] = a.val[at + k];
  }

  __device__ __forceinline__ void load(const Matrix<T>& a, int at, int begin, int end) {
    load_columns(a, at, begin, end);
    load_values(a, at);
  }

  // Returns the products, with 0 for masked-out nonzeros. x(column) returns an element of x.
  template <typename Source>
  __device__ __forceinline__ Vector<T, width> products(const Source& x) const {
    Vector<T, width> products;
#pragma unroll
    for (int k = 0; k < width; ++k) products[k] = counted >> k & 1 ? val[k] * x(col[k]) : T(0);
    return products;
  }
  __device__ __forceinline__ Vector<T, width> products(const T* __restrict__ x) const {
    return products([x](int column) { return __ldg(x + column); });
  }
  __device__ __forceinline__ T sum(const T* __restrict__ x) const {
    const Vector<T, width> all = products(x);
    return (all[0] + all[1]) + (all[2] + all[3]);
  }
};

// Loads `count` vectors of nonzeros. Vector i starts at place(i). Nonzeros outside begin(i) … end(i) - 1 are
// masked out and, if `striped`, also those outside the stripe.
template <bool striped, int count, typename T, typename Place, typename Begin, typename End>
__device__ __forceinline__ void load_entries(const Matrix<T>& a, const Stripe& stripe, const Place& place,
                                             const Begin& begin, const End& end,
                                             Entries<T> (&entries)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) entries[i].load_columns(a, place(i), begin(i), end(i));
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if constexpr (striped) entries[i].keep(stripe);
    entries[i].load_values(a, place(i));
  }
}

}  // namespace sextant::spmv
