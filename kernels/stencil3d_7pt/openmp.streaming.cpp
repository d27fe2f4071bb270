// sizes: large
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
  const auto column_ends = [=](std::int64_t first) { return ColumnEnds<T>(b, n, first); };
#pragma omp parallel
  {
    stencil3d_7pt::share_bands<T>(call, [=]<int planes>(std::int64_t begin, std::int64_t end) {
      stream_runs<planes>(begin, end, n * n, c, value, column_ends);
    });
    stream_fence();
  }
}

}  // namespace

Variant stencil3d_7pt_openmp_streaming() {
  Variant variant;
  variant.description =
      "threads over bands of rows, groups of planes computed side by side, SIMD, streaming stores";
  variant.tunables = stencil3d_7pt::band_tunables();
  variant.adapt = by_name<stencil3d_7pt::adapt_band>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
