// Workspace of the host variants, which holds the results of elimination for back substitution.
#pragma once

#include <omp.h>

#include <cstdlib>

#include "loop.hpp"

namespace sextant::tridiagonal {

// Allocates the workspace in *state, aligned to 64 bytes. Returns null, or the reason for failure.
inline const char* allocate(const Problem& problem, std::int64_t elements, void** state) {
  const std::size_t bytes = static_cast<std::size_t>(elements) * element_size(problem.type);
  *state = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  return *state ? nullptr : "no host memory for the workspace of elimination";
}

// Makes a variant whose state is a workspace as long as systems() systems.
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
