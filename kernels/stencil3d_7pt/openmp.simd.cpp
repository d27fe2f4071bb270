#include "bands.hpp"
#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const auto value = [=](std::int64_t i) { return stencil3d_7pt::point(b, n, i); };
#pragma omp parallel
  stencil3d_7pt::share_bands<T>(call, [=]<int planes>(std::int64_t begin, std::int64_t end) {
    store_runs<planes>(begin, end, n * n, c, value);
    for (std::int64_t i = begin; i < begin + planes * n * n; i += n * n)
      ColumnEnds<T>(b, n, i)(i, i + end - begin, c + i);
  });
}

}  // namespace

Variant stencil3d_7pt_openmp_simd() {
  Variant variant;
  variant.description = "threads over bands of rows, groups of planes computed side by side, SIMD along rows";
  variant.tunables = stencil3d_7pt::band_tunables();
  variant.adapt = by_name<stencil3d_7pt::adapt_band>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
