#include "suite/kernel.hpp"

#include <algorithm>

#include "loop.hpp"
#include "suite/extents.hpp"

namespace sextant {
namespace {

// Short blocks in double, their sums in long double: far more exact than any variant's own sum.
template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  constexpr std::int64_t block = 256;
  const T* a = static_cast<const T*>(arrays[0]);
  const std::int64_t n = problem.extents.x;
  long double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t end = std::min(n, begin + block);
    double part = 0;
#pragma omp simd reduction(+ : part)
    for (std::int64_t i = begin; i < end; ++i) part += static_cast<double>(a[i]);
    sum += part;
  }
  results[1][0] = static_cast<double>(sum);
}

}  // namespace

std::vector<Kernel> reduction_kernels() {
  Kernel kernel;
  kernel.name = "reduction";
  kernel.group = "reduction";
  kernel.formula = "sum = a[0] + ... + a[n-1]";
  kernel.arrays = {{"a", Role::in}, {"sum", Role::out}};
  kernel.extents = vector_extents<1>;
  kernel.length = [](const Problem& p, int index) { return index == 0 ? p.extents.x : std::int64_t{1}; };
  kernel.work = [](const Problem& p) {
    const auto size = static_cast<std::int64_t>(element_size(p.type));
    return Work{.bytes_read = p.extents.x * size,
                .bytes_written = size,
                .flops = p.extents.x - 1,
                .items = p.extents.x};
  };
  kernel.reference = {.float32 = reference<float>, .float64 = reference<double>};
  kernel.tolerance = [](const Problem& p) {
    return Tolerance{.absolute = 3 * unit_roundoff(p.type) * static_cast<double>(p.extents.x + 4)};
  };
  kernel.tolerance_reason =
      "elements are uniform in [-1, 1), so the partial sum of k of them is a random walk of variance k/3, "
      "and its "
      "rounding errs by at most u times it (variance u^2 k/9, were it uniform): over n additions in a row a "
      "standard "
      "deviation of u n/4.2. Allowed are 3 u (n + 4), 12 times that: other orders and fused operations err "
      "less, and "
      "a missing element shows while n is below 1/u/10";
  kernel.study = {default_study, 5, {claim::small_slower}};
  kernel.published = {{"cuda", "128"}, {"openacc", "128"}};
  return {kernel};
}

}  // namespace sextant
