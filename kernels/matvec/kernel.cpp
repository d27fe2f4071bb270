#include "suite/kernel.hpp"

#include <algorithm>

#include "loop.hpp"
#include "suite/extents.hpp"

namespace sextant {
namespace {

// Short blocks of a row in double, their sums in long double: far more exact than any variant's own sum.
template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  constexpr std::int64_t block = 256;
  const T* a = static_cast<const T*>(arrays[0]);
  const T* x = static_cast<const T*>(arrays[1]);
  const std::int64_t n = problem.extents.x;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    long double sum = 0;
    for (std::int64_t begin = 0; begin < n; begin += block) {
      const std::int64_t end = std::min(n, begin + block);
      double part = 0;
#pragma omp simd reduction(+ : part)
      for (std::int64_t j = begin; j < end; ++j)
        part += static_cast<double>(a[i * n + j]) * static_cast<double>(x[j]);
      sum += part;
    }
    results[2][i] = static_cast<double>(sum);
  }
}

}  // namespace

std::vector<Kernel> matvec_kernels() {
  Kernel kernel;
  kernel.name = "matvec";
  kernel.group = "matrix";
  kernel.formula = "y[i] = sum over j of A[i][j]*x[j]";
  kernel.arrays = {{"A", Role::in}, {"x", Role::in}, {"y", Role::out}};
  kernel.extents = [](std::int64_t n) {  // side*side + 2*side <= n is (side + 1)^2 <= n + 1
    std::int64_t side = square_root(n);
    while (side > 0 && side > (n - side) / (side + 1)) --side;
    return Extents{side, side, 1};
  };
  kernel.length = [](const Problem& p, int index) { return index == 0 ? p.extents.count() : p.extents.x; };
  kernel.work = [](const Problem& p) {
    const std::int64_t side = p.extents.x, size = static_cast<std::int64_t>(element_size(p.type));
    return Work{.bytes_read = (side * side + side) * size,
                .bytes_written = side * size,
                .flops = 2 * side * side,
                .items = side};
  };
  kernel.reference = {.float32 = reference<float>, .float64 = reference<double>};
  kernel.tolerance = [](const Problem& p) {
    return Tolerance{.absolute = 4 * unit_roundoff(p.type) * static_cast<double>(p.extents.x + 4)};
  };
  kernel.tolerance_reason =
      "products of two numbers uniform in [-1, 1) have variance 1/9, so the partial sum of k of them is a "
      "random walk "
      "of variance k/9, and its rounding errs by at most u times it (variance u^2 k/27, were it uniform): "
      "over n "
      "additions in a row a standard deviation of u n/7.3. Allowed are 4 u (n + 4), 29 times that, since the "
      "worst "
      "of many elements counts; other orders and fused operations err less, 11-bit products far more";
  kernel.study = {default_study, 9, {claim::small_slower, claim::dear_transfers, claim::never_pays}};
  kernel.published = {
      {"cuda", "64x4", at_study_sizes({0.58, 14.03, 37.77, 46.21}), at_study_sizes({0.20, 1.09, 1.17, 1.34})},
      {"openacc", "128", at_study_sizes({0.75, 9.64, 38.52, 65.16}),
       at_study_sizes({0.001, 0.02, 0.13, 0.44})}};
  return {kernel};
}

}  // namespace sextant
