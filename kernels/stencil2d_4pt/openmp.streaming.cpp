#include <cstring>

#include "loop.hpp"
#include "suite/grid.hpp"
#include "suite/streaming.hpp"

namespace sextant {
namespace {

// All rows but the first and the last are one flat range, in which the ends of each row are patched.
template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, last = (n - 1) * n;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  std::memcpy(c, b, static_cast<std::size_t>(n) * sizeof(T));
  std::memcpy(c + last, b + last, static_cast<std::size_t>(n) * sizeof(T));
  if (n < 3) return;
  stream_in_parallel(
      n, last, c, [=](std::int64_t i) { return stencil2d_4pt::point(b, n, i); },
      [=](std::int64_t begin) { return ColumnEnds<T>(b, n, begin); });
}

}  // namespace

Variant stencil2d_4pt_openmp_streaming() {
  Variant variant;
  variant.description = "threads over rows, SIMD along them, stores that bypass the caches";
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
