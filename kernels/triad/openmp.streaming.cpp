// sizes: large
#include "loop.hpp"
#include "toolbox/host/past_caches.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  const T s = static_cast<T>(triad::scalar);
  write_in_parallel(call, n, c, [=](std::int64_t i) { return a[i] + s * b[i]; });
}

}  // namespace

Variant triad_openmp_streaming() {
  Variant variant;
  let_pass_caches<3>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
