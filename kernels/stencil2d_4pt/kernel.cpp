#include <algorithm>

#include "loop.hpp"
#include "toolbox/host/elementwise.hpp"

namespace sextant {
namespace {

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* b = static_cast<const T*>(arrays[0]);
  double* c = results[1];
  const std::int64_t n = problem.extents.x;
  const auto at = [=](std::int64_t y, std::int64_t x) { return static_cast<double>(b[y * n + x]); };
#pragma omp parallel for schedule(static)
  for (std::int64_t y = 0; y < n; ++y)
    for (std::int64_t x = 0; x < n; ++x) {
      const bool border = y == 0 || y == n - 1 || x == 0 || x == n - 1;
      c[y * n + x] = border ? at(y, x) : (at(y, x - 1) + at(y, x + 1) + at(y - 1, x) + at(y + 1, x)) / 4;
    }
}

}  // namespace

std::vector<Kernel> stencil2d_4pt_kernels() {
  Kernel kernel;
  kernel.name = "stencil2d_4pt";
  kernel.group = "stencil";
  kernel.formula = "c[y][x] = (b[y][x-1] + b[y][x+1] + b[y-1][x] + b[y+1][x]) / 4, border copied";
  kernel.arrays = {{"b", Role::in}, {"c", Role::out}};
  kernel.extents = square_extents<2>;
  kernel.work = [](const Problem& p) {
    const std::int64_t inside = std::max<std::int64_t>(0, p.extents.x - 2);
    return elementwise_work(p, 1, 4 * inside * inside);
  };
  kernel.traits = [](const Problem& p) { return star_traits(p.extents, 2, 1, 4); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = 4 * unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "three additions with sums below 2, 3 and 4 err by at most u, 2 u and 2 u; a quarter of that "
      "is 1.25 u; for double elements the double reference errs by as much: 2.5 u in total (u = "
      "unit roundoff), rounded up to 4 u";
  kernel.presentation.study = {default_study, 7, {claim::small_slower}};
  kernel.presentation.published = {{"cuda", "16x16", at_study_sizes({0.51, 13.49, 62.95, 108.91})},
                                   {"openacc", "16x16", at_study_sizes({0.39, 11.46, 70.17, 115.36})}};
  return {kernel};
}

}  // namespace sextant
