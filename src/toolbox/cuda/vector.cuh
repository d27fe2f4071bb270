// Device helpers of memory-bound CUDA variants: vectors of elements, streaming stores, block counts.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "suite/variant.hpp"

namespace sextant {

// `length` neighbouring elements that are loaded or stored in one access. The address must be a multiple of
// the vector's size.
template <typename T, int length>
struct alignas(length * sizeof(T)) Vector {
  T values[length];
  __device__ T& operator[](int i) { return values[i]; }
  __device__ const T& operator[](int i) const { return values[i]; }
};

template <typename T>
// Number of elements in a thread's widest access, 16 bytes.
inline constexpr int vector_length = 16 / sizeof(T);

// Stores with a hint that the line is not read again (st.global.cs), so that the cache evicts it first.
template <typename T, int length>
__device__ __forceinline__ void store_streaming(T* to, const Vector<T, length>& vector) {
  constexpr int bytes = length * static_cast<int>(sizeof(T));
  if constexpr (bytes == 16)
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(vector));
  else if constexpr (bytes == 8)
    __stcs(reinterpret_cast<uint2*>(to), reinterpret_cast<const uint2&>(vector));
  else
    __stcs(to, vector[0]);
}

template <int length, typename T>
__device__ __forceinline__ Vector<T, length> load(const T* from) {
  return *reinterpret_cast<const Vector<T, length>*>(from);
}

// Loads `length` elements from the unaligned address `from`, which is `shift` elements past an aligned one.
// Reads the one or two aligned vectors that contain them. `shift` should be the same in all threads of a
// warp.
template <int length, typename T>
__device__ __forceinline__ Vector<T, length> load_shifted(const T* from, int shift) {
  const Vector<T, length> low = load<length>(from - shift);
  const Vector<T, length> high = shift ? load<length>(from - shift + length) : low;
  T both[2 * length];
#pragma unroll
  for (int i = 0; i < length; ++i) both[i] = low[i], both[length + i] = high[i];
#pragma unroll
  // Shifts in steps of powers of two, so that `both` stays in registers.
  for (int step = 1; step < length; step *= 2)
#pragma unroll
    for (int i = 0; i + step < 2 * length; ++i) both[i] = (shift & step) ? both[i + step] : both[i];
  Vector<T, length> result;
#pragma unroll
  for (int i = 0; i < length; ++i) result[i] = both[i];
  return result;
}

// Returns the column at which vector k of row `row` starts, for rows of n elements. Vector 0 starts at the
// last aligned address at or before the row's first element. The first and last vector may include elements
// of the neighbouring rows.
template <int length>
__device__ __forceinline__ std::int64_t column_of_vector(std::int64_t row, std::int64_t n, std::int64_t k) {
  return k * length - ((row * n) & (length - 1));
}

inline unsigned blocks_for(std::int64_t items, std::int64_t items_per_block) {
  return static_cast<unsigned>((items + items_per_block - 1) / items_per_block);
}

// Returns why a block of this shape cannot be launched over these extents, or null. The limits hold for every
// GPU since compute capability 3.0 (CUDA C++ Programming Guide, technical specifications).
inline const char* refuse_block(const Extents& extents, int x, int y, int z, std::size_t shared_bytes = 0) {
  if (std::int64_t{x} * y * z > 1024) return "more than 1024 threads per block";
  if (z > 64) return "more than 64 threads along z";
  if (shared_bytes > 48 * 1024) return "more than 48 KiB of shared memory per block";
  if ((extents.y + y - 1) / y > 65535 || (extents.z + z - 1) / z > 65535)
    return "more than 65535 blocks along y or z";
  return nullptr;
}

inline cudaStream_t stream_of(const Call& call) { return static_cast<cudaStream_t>(call.stream); }

}  // namespace sextant
