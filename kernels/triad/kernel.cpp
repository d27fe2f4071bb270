#include "loop.hpp"
#include "toolbox/host/elementwise.hpp"

namespace sextant {
namespace {

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* a = static_cast<const T*>(arrays[0]);
  const T* b = static_cast<const T*>(arrays[1]);
  const double s = static_cast<T>(triad::scalar);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) results[2][i] = a[i] + s * static_cast<double>(b[i]);
}

}  // namespace

std::vector<Kernel> triad_kernels() {
  Kernel kernel;
  kernel.name = "triad";
  kernel.group = "stream";
  kernel.formula = "c[i] = a[i] + s*b[i]";
  kernel.arrays = {{"a", Role::in}, {"b", Role::in}, {"c", Role::out}};
  kernel.extents = vector_extents<3>;
  kernel.work = [](const Problem& p) { return elementwise_work(p, 2, 2 * p.extents.x); };
  kernel.traits = [](const Problem&) { return elementwise_traits(2, 1); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = 4 * unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "|a|, |b| <= 1 and s < 1/2, so the product errs by at most u/2, the sum by at most 3/2 u; "
      "for double elements the double reference errs by as much: below 4 u in total (u = unit "
      "roundoff)";
  kernel.presentation.study = {
      default_study, 4, {claim::without_reuse, claim::small_slower, claim::dear_transfers}};
  kernel.presentation.published = {{"cuda", "1024"}, {"openacc", "128"}};
  return {kernel};
}

}  // namespace sextant
