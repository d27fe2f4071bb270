#include "suite/compilation.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t w = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* s = call.array<T>(1);
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) {
    T sum = 0;
    for (std::int64_t x = 0; x < w; ++x) sum += a[y * w + x];
    s[y] = sum;
  }
}

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(row_sums)() {
  return compiled_here(
      {{.name = "baseline", .description = "row after row, -O2", .launch = SEXTANT_FLOAT_DOUBLE(launch)}});
}

}  // namespace sextant
