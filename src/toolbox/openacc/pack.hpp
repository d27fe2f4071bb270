// 16-byte loads and stores, and gang counts, for OpenACC variants.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#define SEXTANT_INLINE inline __attribute__((always_inline))

namespace sextant::openacc {

// Number of elements that fit in one 16-byte access.
template <typename T>
inline constexpr int pack_width = 16 / static_cast<int>(sizeof(T));

namespace detail {
// The widest type that GCC's nvptx back end moves in one access.
using Words = long long __attribute__((vector_size(16)));

template <typename T>
union Pack {
  Words words;
  T elements[pack_width<T>];
};

#ifdef __clang__
using Access = const Words;
#else
using Access = const volatile Words;
#endif
}  // namespace detail

// Reads or writes pack_width elements at `p`, which must be aligned to 16 bytes. The load is volatile,
// because GCC would otherwise split it into loads of single elements.
template <typename T>
SEXTANT_INLINE void load_pack(const T* p, T* elements) {
  detail::Pack<T> pack;
  pack.words = *reinterpret_cast<detail::Access*>(p);
  for (int k = 0; k < pack_width<T>; ++k) elements[k] = pack.elements[k];
}

template <typename T>
SEXTANT_INLINE void store_pack(T* p, const T* elements) {
  detail::Pack<T> pack;
  for (int k = 0; k < pack_width<T>; ++k) pack.elements[k] = elements[k];
  *reinterpret_cast<detail::Words*>(p) = pack.words;
}

// Loads or stores `width` consecutive elements: a 16-byte pack or a single element.
template <int width, typename T>
SEXTANT_INLINE void load(const T* p, T* elements) {
  if constexpr (width == 1)
    elements[0] = *p;
  else
    load_pack(p, elements);
}

template <int width, typename T>
SEXTANT_INLINE void store(T* p, const T* elements) {
  if constexpr (width == 1)
    *p = elements[0];
  else
    store_pack(p, elements);
}

// Returns the number of gangs with which each thread gets one iteration. GCC counts threads in 32 bits;
// beyond that limit, threads get several iterations.
SEXTANT_INLINE int gangs_for(std::int64_t iterations, int vector_length) {
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / vector_length;
  return static_cast<int>(
      std::clamp<std::int64_t>((iterations + vector_length - 1) / vector_length, 1, most));
}

}  // namespace sextant::openacc
