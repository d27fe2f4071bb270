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
  const auto at = [=](std::int64_t z, std::int64_t y, std::int64_t x) {
    return static_cast<double>(b[(z * n + y) * n + x]);
  };
  const auto outermost = [=](std::int64_t i) { return i == 0 || i == n - 1; };
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t z = 0; z < n; ++z)
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x) {
        const bool border = outermost(z) || outermost(y) || outermost(x);
        c[(z * n + y) * n + x] = border ? at(z, y, x)
                                        : (at(z, y, x) + at(z, y, x - 1) + at(z, y, x + 1) + at(z, y - 1, x) +
                                           at(z, y + 1, x) + at(z - 1, y, x) + at(z + 1, y, x)) /
                                              7;
      }
}

}  // namespace

std::vector<Kernel> stencil3d_7pt_kernels() {
  Kernel kernel;
  kernel.name = "stencil3d_7pt";
  kernel.group = "stencil";
  kernel.formula = "c[z][y][x] = mean of b at the point and its 6 face neighbours, border copied";
  kernel.arrays = {{"b", Role::in}, {"c", Role::out}};
  kernel.extents = cube_extents<2>;
  kernel.work = [](const Problem& p) {
    const std::int64_t inside = std::max<std::int64_t>(0, p.extents.x - 2);
    return elementwise_work(p, 1, 7 * inside * inside * inside);
  };
  kernel.traits = [](const Problem& p) { return star_traits(p.extents, 3, 1, 7); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = 10 * unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "six additions with sums below 2, 3, 4, 5, 6 and 7 err by at most 17 u; a seventh of that is "
      "2.5 u; the factor 1/7 and the product add 2 u; for double elements the double reference "
      "errs by as much: below 10 u in total (u = unit roundoff)";
  kernel.presentation.study = {default_study, 8, {claim::shared_memory, claim::small_slower}};
  kernel.presentation.published = {{"cuda", "8x8x8", at_study_sizes({1.02, 16.95, 63.14, 78.11})},
                                   {"openacc", "16x4x32", at_study_sizes({0.74, 11.24, 40.02, 55.49})}};
  return {kernel};
}

}  // namespace sextant
