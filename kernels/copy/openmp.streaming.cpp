// sizes: large
#include "loop.hpp"
#include "toolbox/host/past_caches.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  write_in_parallel(call, n, c, [=](std::int64_t i) { return b[i]; });
}

}  // namespace

Variant copy_openmp_streaming() {
  Variant variant;
  let_pass_caches<2>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
