#include <algorithm>

#include "../gather/places.hpp"
#include "loop.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

namespace prefetch {

struct Ahead {
  int prefetch_distance = 32;  // prefetch distance, in elements
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, ahead = call.tuned<Ahead>().prefetch_distance;
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    if (i + ahead < n) __builtin_prefetch(y + p[i + ahead], 1);
    y[p[i]] = a[i];
  }
}

}  // namespace prefetch

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) y[p[i]] = a[i];
}

}  // namespace simd

// For indices that stay within windows of the array. Each window is scattered in a buffer in the L1 cache,
// then written in whole cache lines by non-temporal stores. Meanwhile the input of the next window is
// prefetched.
namespace windows {

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

}  // namespace windows

}  // namespace

std::vector<Variant> scatter_openmp() {
  return {
      {.name = "prefetch",
       .description = "threads over elements; prefetches the target of the element prefetch_distance ahead",
       .tunables = tunables<prefetch::Ahead>(
           {{"prefetch_distance", &prefetch::Ahead::prefetch_distance, {8, 16, 32, 64, 128, 256}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(prefetch::launch)},
      {.name = "simd", .description = "threads and SIMD", .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      {.name = "windows",
       .description = "for indices within windows: scatters each window in a cached buffer, then writes it "
                      "past the caches",
       .launch = SEXTANT_FLOAT_DOUBLE(windows::launch),
       .constraint = places::refuse_random,
       .for_large_arrays = true},
  };
}

}  // namespace sextant
