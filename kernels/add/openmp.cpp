#include "loop.hpp"
#include "toolbox/host/past_caches.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

}  // namespace simd

namespace streaming {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  write_in_parallel(call, n, c, [=](std::int64_t i) { return a[i] + b[i]; });
}

Variant form() {
  Variant variant;
  let_pass_caches<3>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace streaming

}  // namespace

std::vector<Variant> add_openmp() {
  return {
      {.name = "simd",
       .description = "threads and SIMD, static schedule",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      named("streaming", streaming::form()),
  };
}

}  // namespace sextant
