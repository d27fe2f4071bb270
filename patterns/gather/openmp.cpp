#include <algorithm>

#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/past_caches.hpp"

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
    if (i + ahead < n) __builtin_prefetch(a + p[i + ahead]);
    y[i] = a[p[i]];
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
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) y[i] = a[p[i]];
}

}  // namespace simd

namespace streaming {

constexpr std::int64_t piece = 16384;  // elements per chunk; threads take chunks dynamically

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  const auto value = [=](std::int64_t i) { return a[p[i]]; };
  if (call.tuned<PastCaches>().streaming_stores == 0) return write_in_parallel(call, n, y, value);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (std::int64_t first = 0; first < n; first += piece)
      stream_runs<1>(first, std::min(n, first + piece), 0, y, value, [](std::int64_t) { return NoPatch{}; });
    stream_fence();
  }
}

Variant form() {
  Variant variant;
  let_pass_caches<3>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.for_large_arrays = true;
  return variant;
}

}  // namespace streaming

}  // namespace

std::vector<Variant> gather_openmp() {
  return {
      {.name = "prefetch",
       .description = "threads prefetch the element that they need prefetch_distance iterations later",
       .tunables = tunables<prefetch::Ahead>(
           {{"prefetch_distance", &prefetch::Ahead::prefetch_distance, {8, 16, 32, 64, 128, 256}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(prefetch::launch)},
      {.name = "simd", .description = "threads and SIMD", .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      named("streaming", streaming::form()),
  };
}

}  // namespace sextant
