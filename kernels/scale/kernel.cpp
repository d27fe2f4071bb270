#include "loop.hpp"
#include "toolbox/host/elementwise.hpp"

namespace sextant {
namespace {

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* b = static_cast<const T*>(arrays[0]);
  double* c = results[1];
  const double s = static_cast<T>(scale::scalar);
  const std::int64_t n = problem.extents.x;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) c[i] = s * static_cast<double>(b[i]);
}

}  // namespace

std::vector<Kernel> scale_kernels() {
  Kernel kernel;
  kernel.name = "scale";
  kernel.group = "stream";
  kernel.formula = "c[i] = s*b[i]";
  kernel.arrays = {{"b", Role::in}, {"c", Role::out}};
  kernel.extents = vector_extents<2>;
  kernel.work = [](const Problem& p) { return elementwise_work(p, 1, p.extents.x); };
  kernel.traits = [](const Problem&) { return elementwise_traits(1, 1); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "|b| <= 1 and s < 1/2, so one rounding errs by at most u/4; for double elements the double "
      "reference errs by as much: below u in total (u = unit roundoff)";
  kernel.presentation.study = {
      default_study, 2, {claim::without_reuse, claim::small_slower, claim::dear_transfers}};
  kernel.presentation.published = {{"cuda", "1024", at_study_sizes({0.31, 9.44, 58.08, 84.45})},
                                   {"openacc", "128", at_study_sizes({0.54, 7.05, 50.64, 86.43})}};
  return {kernel};
}

}  // namespace sextant
