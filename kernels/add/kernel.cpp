#include "loop.hpp"
#include "toolbox/host/elementwise.hpp"

namespace sextant {
namespace {

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* a = static_cast<const T*>(arrays[0]);
  const T* b = static_cast<const T*>(arrays[1]);
  double* c = results[2];
  const std::int64_t n = problem.extents.x;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) c[i] = static_cast<double>(a[i]) + static_cast<double>(b[i]);
}

}  // namespace

std::vector<Kernel> add_kernels() {
  Kernel kernel;
  kernel.name = "add";
  kernel.group = "stream";
  kernel.formula = "c[i] = a[i] + b[i]";
  kernel.arrays = {{"a", Role::in}, {"b", Role::in}, {"c", Role::out}};
  kernel.extents = vector_extents<3>;
  kernel.work = [](const Problem& p) { return elementwise_work(p, 2, p.extents.x); };
  kernel.traits = [](const Problem&) { return elementwise_traits(2, 1); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = 2 * unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "|a + b| <= 2, so one rounding errs by at most u; for double elements the double reference "
      "errs by as much: 2 u in total (u = unit roundoff)";
  kernel.presentation.study = {
      default_study, 3, {claim::without_reuse, claim::small_slower, claim::dear_transfers}};
  kernel.presentation.published = {{"cuda", "1024", at_study_sizes({0.29, 6.69, 38.14, 73.23})},
                                   {"openacc", "128", at_study_sizes({0.27, 4.59, 35.99, 70.35})}};
  return {kernel};
}

}  // namespace sextant
