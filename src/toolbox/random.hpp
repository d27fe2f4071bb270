// Counter-based random data: element i depends only on (seed, i), so that any thread can generate any
// element.
#pragma once

#include <cstdint>

namespace sextant {

// SplitMix64's output function (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014)
// applied to a counter; returns 64 well-mixed bits.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t z = seed + (counter + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Returns an element that is uniform in [-1, 1), a multiple of 2^-23 (float) or 2^-52 (double). An int32 is
// uniform in [-2^20, 2^20), so that a few additions cannot overflow.
template <typename T>
constexpr T random_element(std::uint64_t seed, std::uint64_t counter) {
  const std::uint64_t bits = random_bits(seed, counter);
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(static_cast<double>(bits >> 11) * 0x1p-52 - 1.0);
  else if constexpr (static_cast<T>(0.5) != static_cast<T>(0))
    return static_cast<T>(static_cast<float>(bits >> 40) * 0x1p-23f - 1.0f);
  else
    return static_cast<T>(static_cast<std::int64_t>(bits >> 43) - (std::int64_t{1} << 20));
}

template <typename T>
void fill_uniform(std::uint64_t seed, std::int64_t count, T* data) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) data[i] = random_element<T>(seed, static_cast<std::uint64_t>(i));
}

}  // namespace sextant
