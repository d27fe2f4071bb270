#include "suite/compilation.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const auto [x, y, z] = call.problem.extents;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  for (std::int64_t row = 0; row < y; ++row)
    for (std::int64_t column = 0; column < x; ++column) {
      T sum = 0;
      for (std::int64_t k = 0; k < z; ++k) sum += a[row * z + k] * b[k * x + column];
      c[row * x + column] = sum;
    }
}

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(matrix_product)() {
  return compiled_here({{.name = "baseline",
                         .description = "the plain triple loop, -O2",
                         .launch = SEXTANT_FLOAT_DOUBLE(launch)}});
}

}  // namespace sextant
