#include "suite/variant.hpp"

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

Variant row_sums_serial_baseline() {
  Variant variant;
  variant.description = "row after row, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
