#include "suite/kernel.hpp"

#include <algorithm>

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/rounding.hpp"

namespace sextant {
namespace {

// Short blocks in double, their sums in long double: far more exact than any variant's own sum.
template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  constexpr std::int64_t block = 256;
  const T* a = static_cast<const T*>(arrays[0]);
  const T* b = static_cast<const T*>(arrays[1]);
  const std::int64_t n = problem.extents.x;
  long double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t end = std::min(n, begin + block);
    double part = 0;
#pragma omp simd reduction(+ : part)
    for (std::int64_t i = begin; i < end; ++i) part += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    sum += part;
  }
  results[2][0] = static_cast<double>(sum);
}

}  // namespace

std::vector<Kernel> dot_kernels() {
  Kernel kernel;
  kernel.name = "dot";
  kernel.group = "reduction";
  kernel.formula = "sum = a[0]*b[0] + ... + a[n-1]*b[n-1]";
  kernel.arrays = {{"a", Role::in}, {"b", Role::in}, {"sum", Role::out}};
  kernel.extents = vector_extents<2>;
  kernel.length = [](const Problem& p, int index) { return index < 2 ? p.extents.x : std::int64_t{1}; };
  kernel.work = [](const Problem& p) {
    const auto size = static_cast<std::int64_t>(element_size(p.type));
    return Work{.bytes_read = 2 * p.extents.x * size,
                .bytes_written = size,
                .flops = 2 * p.extents.x - 1,
                .items = p.extents.x};
  };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return rounded_sum_tolerance(p, p.extents.x, 2); };
  kernel.tolerance_reason =
      "products of numbers uniform in [-1, 1) have variance 1/9, so the partial sum of k of them is a "
      "random walk of variance k/9, and its rounding errs by at most u times it (variance u^2 k/27, were "
      "it uniform): over n additions in a row a standard deviation of u n/7.3; the products' own rounding "
      "is small beside it. Allowed are 2 u (n + 4), 14 times that: other orders and fused operations err "
      "less, and a missing product shows while n is below 1/u/16";
  return {kernel};
}

}  // namespace sextant
