// Fills arrays with random elements of any type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

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

// Returns element i of a random sequence of normal numbers with standard deviation 1/4 that are at most 1 in
// magnitude. It is Box and Muller's transform of a point within 4 standard deviations of the origin. They
// lack one point in 2981.
template <typename T>
T normal_element(std::uint64_t seed, std::int64_t i) {
  const auto place = 2 * static_cast<std::uint64_t>(i);
  const auto share = [&](std::uint64_t at) { return random_element<double>(seed, at) / 2 + 0.5; };  // [0, 1)
  const double within = 1 - share(place) * (1 - std::exp(-8.0));
  const double radius = std::min(1.0, std::sqrt(-2 * std::log(within)) / 4);
  const double element = radius * std::cos(2 * std::numbers::pi * share(place + 1));
  if constexpr (std::is_same_v<T, double>)
    return element;
  else
    return T(static_cast<float>(element));
}

// Returns element i of a random sequence of -1, 0 and 1.
template <typename T>
T small_integer(std::uint64_t seed, std::int64_t i) {
  const std::uint64_t bits = random_bits(seed, static_cast<std::uint64_t>(i)) >> 32;
  return T(static_cast<float>(static_cast<int>((bits * 3) >> 32) - 1));
}

template <typename T>
void fill_uniform_elements(std::uint64_t seed, std::int64_t count, T* elements) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) elements[i] = uniform_element<T>(seed, i);
}

inline void fill_uniform(ElementType type, std::uint64_t seed, std::int64_t count, void* data) {
  with_elements(type, data, [&](auto* elements) { fill_uniform_elements(seed, count, elements); });
}

// Fills a floating-point array.
inline void fill_normal(ElementType type, std::uint64_t seed, std::int64_t count, void* data) {
  with_elements(type, data, [&]<typename T>(T* elements) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) elements[i] = normal_element<T>(seed, i);
  });
}

// Fills a floating-point array.
inline void fill_small_integers(ElementType type, std::uint64_t seed, std::int64_t count, void* data) {
  with_elements(type, data, [&]<typename T>(T* elements) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) elements[i] = small_integer<T>(seed, i);
  });
}

}  // namespace sextant
