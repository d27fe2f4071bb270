// sizes: large
#include <algorithm>

#include "toolbox/host/past_caches.hpp"

namespace sextant {
namespace {

constexpr std::int64_t piece = 16384;  // elements that a thread takes when it is done with those before

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  const auto value = [=](std::int64_t i) { return a[p[i]]; };
  if (call.tuned<PastCaches>().past_caches == 0) return write_in_parallel(call, n, y, value);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (std::int64_t first = 0; first < n; first += piece)
      stream_runs<1>(first, std::min(n, first + piece), 0, y, value, [](std::int64_t) { return NoPatch{}; });
    stream_fence();
  }
}

}  // namespace

Variant gather_openmp_streaming() {
  Variant variant;
  let_pass_caches<3>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
