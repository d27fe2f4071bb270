#include "loop.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  stream_in_parallel(0, n, c, [=](std::int64_t i) { return b[i]; });
}

}  // namespace

Variant copy_openmp_streaming() {
  Variant variant;
  variant.description = "threads and SIMD, stores that bypass the caches";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
