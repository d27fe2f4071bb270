// The random numbers of the NAS Parallel Benchmarks: x_{k+1} = 5^13 x_k mod 2^46 in exact integer arithmetic,
// usable on the host, in CUDA kernels and in OpenACC regions. Source: Bailey et al., "The NAS Parallel
// Benchmarks", RNR-94-007, section 2.3.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
  #define SEXTANT_HOST_DEVICE __host__ __device__
#elif defined(_OPENACC)
  // Without this attribute, GCC generates wrong calls in OpenACC regions.
  #define SEXTANT_HOST_DEVICE __attribute__((always_inline))
#else
  #define SEXTANT_HOST_DEVICE
#endif

namespace sextant::npb {

inline constexpr std::uint64_t random_multiplier = 1'220'703'125;           // the multiplier 5^13
inline constexpr std::uint64_t random_mask = (std::uint64_t{1} << 46) - 1;  // states are less than 2^46
inline constexpr std::uint64_t random_period = std::uint64_t{1} << 44;      // sequence length for odd seeds
inline constexpr std::uint64_t ep_seed = 271'828'183;
inline constexpr std::uint64_t other_seed = 314'159'265;  // seed of FT, IS, CG and MG

// Returns a x mod 2^46. Overflow is harmless: 2^46 divides 2^64, so the low 64 bits of the product suffice.
SEXTANT_HOST_DEVICE constexpr std::uint64_t random_product(std::uint64_t a, std::uint64_t x) {
  return (a * x) & random_mask;
}

// Returns the state that follows x. The seed itself is not part of the sequence: the first number belongs to
// random_next(seed).
SEXTANT_HOST_DEVICE constexpr std::uint64_t random_next(std::uint64_t x) {
  return random_product(random_multiplier, x);
}

// Returns the factor that advances a state by n steps: 5^(13 n) mod 2^46. Uses at most 2 log2 n products.
SEXTANT_HOST_DEVICE constexpr std::uint64_t random_jump(std::uint64_t n) {
  std::uint64_t result = 1;
  for (std::uint64_t power = random_multiplier; n != 0; n >>= 1) {
    if (n & 1) result = random_product(result, power);
    power = random_product(power, power);
  }
  return result;
}

// Returns the state n steps after x. For many jumps of the same length, keep the result of random_jump(n).
SEXTANT_HOST_DEVICE constexpr std::uint64_t random_skip(std::uint64_t x, std::uint64_t n) {
  return random_product(random_jump(n), x);
}

// Returns the random number that belongs to state x: x 2^-46, exactly, which lies in (0, 1).
SEXTANT_HOST_DEVICE constexpr double random_value(std::uint64_t x) {
  return static_cast<double>(static_cast<std::int64_t>(x)) * 0x1p-46;
}

}  // namespace sextant::npb
