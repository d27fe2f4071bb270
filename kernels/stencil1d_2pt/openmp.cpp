#include "loop.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  c[0] = b[0];
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 1; i < n - 1; ++i) c[i] = stencil1d_2pt::point(b, i);
  c[n - 1] = b[n - 1];
}

}  // namespace simd

namespace streaming {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  c[0] = b[0];
  if (n > 2) stream_in_parallel(1, n - 1, c, [=](std::int64_t i) { return stencil1d_2pt::point(b, i); });
  c[n - 1] = b[n - 1];
}

}  // namespace streaming

}  // namespace

std::vector<Variant> stencil1d_2pt_openmp() {
  return {
      {.name = "simd",
       .description = "threads and SIMD, static schedule",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      {.name = "streaming",
       .description = "threads and SIMD, stores that bypass the caches",
       .launch = SEXTANT_FLOAT_DOUBLE(streaming::launch),
       .for_large_arrays = true},
  };
}

}  // namespace sextant
