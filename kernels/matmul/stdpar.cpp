#include <algorithm>

#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  for_each_index(0, n, [=](std::int64_t i) {
    T* row = c + i * n;
    std::fill(row, row + n, T(0));
    for (std::int64_t k = 0; k < n; ++k) {
      const T factor = a[i * n + k];
      std::transform(std::execution::unseq, row, row + n, b + k * n, row,
                     [=](T sum, T x) { return sum + factor * x; });
    }
  });
}

}  // namespace

std::vector<Variant> matmul_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over rows of C; SIMD along rows of B",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
