// sizes: large
#include "loop.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  c[0] = b[0];
  if (n > 2) stream_in_parallel(1, n - 1, c, [=](std::int64_t i) { return stencil1d_2pt::point(b, i); });
  c[n - 1] = b[n - 1];
}

}  // namespace

Variant stencil1d_2pt_openmp_streaming() {
  Variant variant;
  variant.description = "threads and SIMD, stores that bypass the caches";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
