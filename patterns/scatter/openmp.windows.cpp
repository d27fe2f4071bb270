// sizes: large
// Places that lie within windows: a window's elements go to their places in a buffer that the nearest cache holds, which then goes to memory in whole
// lines that bypass the caches. What the next window reads is asked for meanwhile.
#include <algorithm>

#include "../gather/places.hpp"
#include "loop.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

template <typename T>
void write_window(const std::int32_t* p, const T* a, std::int64_t first, std::int64_t end, std::int64_t n,
                  T* y) {
  constexpr std::int64_t per_line = line_bytes / 4;
  alignas(line_bytes) T stage[places::window];
  std::int64_t i = first;
  for (; i + per_line <= end; i += per_line) {
    if (i + places::window < n) {
      __builtin_prefetch(p + i + places::window);
      for (std::size_t part = 0; part < sizeof(T) / 4; ++part)
        __builtin_prefetch(a + i + places::window + part * per_line / 2);
    }
#pragma GCC unroll 16
    for (std::int64_t e = 0; e < per_line; ++e) stage[p[i + e] - first] = a[i + e];
  }
  for (; i < end; ++i) stage[p[i] - first] = a[i];
  stream_runs<1>(
      first, end, 0, y, [&stage, first](std::int64_t at) { return stage[at - first]; },
      [](std::int64_t) { return NoPatch{}; });
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 4)
    for (std::int64_t first = 0; first < n; first += places::window)
      write_window(p, a, first, std::min(n, first + places::window), n, y);
    stream_fence();
  }
}

}  // namespace

Variant scatter_openmp_windows() {
  Variant variant;
  variant.description =
      "near places: a window's elements to their places in a cache, then written past the caches";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = places::refuse_random;
  return variant;
}

}  // namespace sextant
