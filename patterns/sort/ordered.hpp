// Maps keys to unsigned numbers with the same order, from which radix sorts take digits. Keys must not be NaN
// or -0.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__CUDACC__)
  #define SEXTANT_SORT_INLINE __host__ __device__ __forceinline__
#else
  #define SEXTANT_SORT_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::sort {

template <typename T>
using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <typename T>
inline constexpr Bits<T> sign_bit = Bits<T>{1} << (8 * sizeof(T) - 1);

template <typename T>
SEXTANT_SORT_INLINE Bits<T> ordered(T key) {
  Bits<T> bits;
  std::memcpy(&bits, &key, sizeof key);
  if constexpr (std::is_floating_point_v<T>)
    return bits & sign_bit<T> ? ~bits : bits | sign_bit<T>;
  else
    return bits ^ sign_bit<T>;
}

// The inverse of `ordered`: returns the key for such an unsigned number.
template <typename T>
SEXTANT_SORT_INLINE T restored(Bits<T> bits) {
  if constexpr (std::is_floating_point_v<T>)
    bits = bits & sign_bit<T> ? bits ^ sign_bit<T> : ~bits;
  else
    bits ^= sign_bit<T>;
  T key;
  std::memcpy(&key, &bits, sizeof key);
  return key;
}

// Packs a key and its original index into one number. Sorting these numbers sorts the keys stably.
SEXTANT_SORT_INLINE std::uint64_t placed(std::int32_t key, std::int64_t place) {
  return std::uint64_t{ordered(key)} << 32 | static_cast<std::uint32_t>(place);
}
SEXTANT_SORT_INLINE std::int32_t key_of(std::uint64_t item) {
  return restored<std::int32_t>(static_cast<std::uint32_t>(item >> 32));
}
SEXTANT_SORT_INLINE std::int64_t place_of(std::uint64_t item) { return static_cast<std::uint32_t>(item); }

}  // namespace sextant::sort
