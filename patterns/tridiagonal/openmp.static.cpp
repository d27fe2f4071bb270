#include "workspace.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t length = tridiagonal::length_of(call.problem),
                     systems = tridiagonal::systems_of(call.problem);
  const T *a = call.array<const T>(0), *b = call.array<const T>(1), *c = call.array<const T>(2),
          *d = call.array<const T>(3);
#pragma omp parallel for schedule(static)
  for (std::int64_t s = 0; s < systems; ++s) {
    T* gamma = static_cast<T*>(call.state) + omp_get_thread_num() * length;
    const std::int64_t first = s * length;
    tridiagonal::solve(length, a + first, b + first, c + first, d + first, gamma, call.array<T>(4) + first);
  }
}

}  // namespace

Variant tridiagonal_openmp_static() {
  Variant variant = tridiagonal::host_variant<tridiagonal::a_system_a_thread>(
      "threads over systems, the plain loop in each");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
