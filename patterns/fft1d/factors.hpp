// Twiddle factors exp(-2 pi i k / length), computed in long double and rounded once.
#pragma once

#include <cmath>
#include <cstdlib>

#include "loop.hpp"

namespace sextant::fft1d {

template <typename T>
void fill_factors(std::int64_t length, T* factors) {
  const long double angle = -2 * std::acos(-1.0L) / static_cast<long double>(length);
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < length; ++k) {
    factors[2 * k] = static_cast<T>(std::cos(angle * static_cast<long double>(k)));
    factors[2 * k + 1] = static_cast<T>(std::sin(angle * static_cast<long double>(k)));
  }
}

// Allocates host memory for the twiddle factors and `further` numbers after them, and computes the factors.
// Returns null if there is no memory.
inline void* allocate_with_factors(const Problem& problem, std::int64_t further) {
  const std::int64_t length = length_of(problem);
  const std::size_t bytes = static_cast<std::size_t>(2 * length + further) * element_size(problem.type);
  void* memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (memory && problem.type == ElementType::float64)
    fill_factors(length, static_cast<double*>(memory));
  else if (memory)
    fill_factors(length, static_cast<float*>(memory));
  return memory;
}

// A host variant whose state consists of the twiddle factors and a workspace of further(problem) numbers.
template <auto further>
Variant host_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.prepare = [](const Call& call, void** state) -> const char* {
    *state = allocate_with_factors(call.problem, further(call.problem));
    return *state ? nullptr : "no host memory for the twiddle factors and the workspace";
  };
  variant.release = [](void* state) { std::free(state); };
  variant.workspace = [](const Problem& problem, const int*) {
    return (2 * length_of(problem) + further(problem)) *
           static_cast<std::int64_t>(element_size(problem.type));
  };
  return variant;
}

inline std::int64_t nothing_further(const Problem&) { return 0; }

}  // namespace sextant::fft1d
