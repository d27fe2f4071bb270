// The form that one would write first.
#include "loop.hpp"
#include "mapped.hpp"

namespace sextant {
namespace {

template <typename T>
void solve(std::int64_t systems, std::int64_t length, const T* a, const T* b, const T* c, const T* d,
           T* gamma, T* x) {
  const std::int64_t count = systems * length;
#pragma omp target teams distribute parallel for map(to                                                    \
                                                     : a [0:count], b [0:count], c [0:count], d [0:count], \
                                                       gamma [0:count]) map(from                           \
                                                                            : x [0:count])
  for (std::int64_t s = 0; s < systems; ++s) {
    const std::int64_t first = s * length;
    tridiagonal::solve(length, a + first, b + first, c + first, d + first, gamma + first, x + first);
  }
}

template <typename T>
void launch(const Call& call) {
  solve(tridiagonal::systems_of(call.problem), tridiagonal::length_of(call.problem), call.array<const T>(0),
        call.array<const T>(1), call.array<const T>(2), call.array<const T>(3),
        tridiagonal::memory_of<T>(call), call.array<T>(4));
}

std::int64_t workspace(const Problem& p, const int*) {
  return tridiagonal::systems_of(p) * tridiagonal::length_of(p) *
         static_cast<std::int64_t>(element_size(p.type));
}

}  // namespace

Variant tridiagonal_target_parallel_for() {
  Variant variant =
      target::mapped_variant("the form one writes first: target teams distribute parallel for over systems");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  tridiagonal::add_memory<workspace>(&variant);
  return variant;
}

}  // namespace sextant
