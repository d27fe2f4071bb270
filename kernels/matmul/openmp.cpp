#include "loop.hpp"
#include "packed.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    T* row = c + i * n;
    for (std::int64_t j = 0; j < n; ++j) row[j] = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const T factor = a[i * n + k];
#pragma omp simd
      for (std::int64_t j = 0; j < n; ++j) row[j] += factor * b[k * n + j];
    }
  }
}

}  // namespace simd

}  // namespace

std::vector<Variant> matmul_openmp() {
return {
named("blocked", matmul::packed_variant()),
{.name = "simd",
.description = "threads over rows of C, SIMD along rows of B",
.launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
};
}

}  // namespace sextant
