// Extends load and store of pack.hpp by 8-byte accesses, for rows that are aligned to only 8 bytes.
#pragma once

#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc::aligned {

template <int width, typename T>
union Half {
  long long words;
  T elements[width];
};
template <int width, typename T>
constexpr bool is_half = width > 1 && width * sizeof(T) == sizeof(long long);

template <int width, typename T>
SEXTANT_INLINE void load(const T* p, T* elements) {
  if constexpr (is_half<width, T>) {
    Half<width, T> half;
    half.words = *reinterpret_cast<const volatile long long*>(p);
    for (int k = 0; k < width; ++k) elements[k] = half.elements[k];
  } else {
    openacc::load<width>(p, elements);
  }
}

template <int width, typename T>
SEXTANT_INLINE void store(T* p, const T* elements) {
  if constexpr (is_half<width, T>) {
    Half<width, T> half;
    for (int k = 0; k < width; ++k) half.elements[k] = elements[k];
    *reinterpret_cast<long long*>(p) = half.words;
  } else {
    openacc::store<width>(p, elements);
  }
}

// Calls function.template operator()<width>() with the largest access width (in elements) that is aligned for
// rows of n elements.
template <typename T, typename Function>
void with_width(std::int64_t n, Function&& function) {
  if (n % pack_width<T> == 0)
    function.template operator()<pack_width<T>>();
  else if (n % 2 == 0)
    function.template operator()<2>();
  else
    function.template operator()<1>();
}

}  // namespace sextant::openacc::aligned
