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
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    if (i == 0 || i == n - 1)
      c[i] = static_cast<double>(b[i]);
    else
      c[i] = (static_cast<double>(b[i - 1]) + static_cast<double>(b[i + 1])) / 2;
  }
}

}  // namespace

std::vector<Kernel> stencil1d_2pt_kernels() {
  Kernel kernel;
  kernel.name = "stencil1d_2pt";
  kernel.group = "stencil";
  kernel.formula = "c[i] = (b[i-1] + b[i+1]) / 2, ends copied";
  kernel.arrays = {{"b", Role::in}, {"c", Role::out}};
  kernel.extents = vector_extents<2>;
  kernel.work = [](const Problem& p) {
    return elementwise_work(p, 1, 2 * std::max<std::int64_t>(0, p.extents.x - 2));
  };
  kernel.traits = [](const Problem& p) { return star_traits(p.extents, 1, 1, 2); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = 2 * unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "the sum of two elements is at most 2 and errs by at most u, its half by u/2; for double "
      "elements the double reference errs by as much: u in total (u = unit roundoff), doubled";
  kernel.presentation.study = {default_study, 6, {claim::small_slower}};
  kernel.presentation.published = {{"cuda", "128", at_study_sizes({0.43, 9.35, 56.92, 93.85})},
                                   {"openacc", "128", at_study_sizes({0.42, 7.35, 52.43, 93.67})}};
  return {kernel};
}

}  // namespace sextant
