// What host variants keep between elimination and substitution.
#pragma once

#include <omp.h>

#include <cstdlib>

#include "loop.hpp"

namespace sextant::tridiagonal {

// Into *state, for lines of 64 bytes.
inline const char* allocate(const Problem& problem, std::int64_t elements, void** state) {
  const std::size_t bytes = static_cast<std::size_t>(elements) * element_size(problem.type);
  *state = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  return *state ? nullptr : "no host memory for what elimination leaves";
}

// A variant whose state is `systems()` times as many elements as a system has unknowns.
template <auto systems>
Variant host_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.prepare = [](const Call& call, void** state) {
    return allocate(call.problem, systems() * length_of(call.problem), state);
  };
  variant.release = [](void* state) { std::free(state); };
  variant.workspace = [](const Problem& problem, const int*) {
    return systems() * length_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
  };
  return variant;
}

inline std::int64_t one_system() { return 1; }
inline std::int64_t a_system_a_thread() { return omp_get_max_threads(); }

}  // namespace sextant::tridiagonal
