// Fills arrays with random elements of any type.
#pragma once

#include <cstdint>

#include "suite/element.hpp"
#include "toolbox/random.hpp"

namespace sextant {

// Returns element i of a random sequence. Floating-point elements are uniform in [-1, 1). Integers of 8 and
// 16 bits take all values. Wider integers have 21 random bits, so that a few additions cannot overflow.
template <typename T>
T uniform_element(std::uint64_t seed, std::int64_t i) {
  const auto place = static_cast<std::uint64_t>(i);
  if constexpr (std::is_same_v<T, double>)
    return random_element<double>(seed, place);
  else if constexpr (is_floating<T>)
    return T(random_element<float>(seed, place));
  else if constexpr (sizeof(T) < 4)
    return static_cast<T>(random_bits(seed, place) >> 48);
  else
    return static_cast<T>(random_element<std::int32_t>(seed, place) + (std::is_signed_v<T> ? 0 : 1 << 20));
}

template <typename T>
void fill_uniform_elements(std::uint64_t seed, std::int64_t count, T* elements) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) elements[i] = uniform_element<T>(seed, i);
}

inline void fill_uniform(ElementType type, std::uint64_t seed, std::int64_t count, void* data) {
  with_elements(type, data, [&](auto* elements) { fill_uniform_elements(seed, count, elements); });
}

}  // namespace sextant
