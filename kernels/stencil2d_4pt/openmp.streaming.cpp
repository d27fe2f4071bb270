// sizes: large
#include "loop.hpp"
#include "rows.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Group {
  int rows_together = 8;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const int together = call.tuned<Group>().rows_together;
  const auto value = [=](std::int64_t i) { return stencil2d_4pt::point(b, n, i); };
  const auto no_patch = [](std::int64_t) { return NoPatch{}; };
#pragma omp parallel
  {
    stencil2d_4pt::share_rows<T>(call, together, [=]<int rows>(std::int64_t y) {
      stream_runs<rows>(y * n + 1, y * n + n - 1, n, c, value, no_patch);
    });
    stream_fence();
  }
}

}  // namespace

Variant stencil2d_4pt_openmp_streaming() {
  Variant variant;
  variant.description =
      "threads over groups of rows computed side by side, SIMD, stores that bypass the caches";
  variant.tunables =
      tunables<Group>({{"rows_together", &Group::rows_together, stencil2d_4pt::RowsTogether::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
