// sizes: large
#include "toolbox/host/past_caches.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  write_in_parallel(call, call.problem.extents.x, call.array<T>(2), [=](std::int64_t i) { return a[p[i]]; });
}

}  // namespace

Variant gather_openmp_streaming() {
  Variant variant;
  let_pass_caches<3>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
