#include "suite/kernel.hpp"

#include <algorithm>

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

// Fills A or x with random numbers such that all sums are exact. For this, column j of A and element j of x
// share the significant bits that a product may have.
template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  const std::int64_t n = problem.extents.x, count = index == 0 ? n * n : n;
  const ExactSum sum(problem.type, n);
  T* values = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) values[i] = sum.factor<T>(seed, i, i % n, index == 1);
}

// Computes the reference: sums short blocks of a row in double and adds the block sums in long double. This
// is exact for the inputs above and much more accurate than the variants for any other inputs.
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
  kernel.family = "matvec";
  kernel.formula = "y[i] = sum over j of A[i][j]*x[j]";
  kernel.arrays = {{"A", Role::in}, {"x", Role::in}, {"y", Role::out}};
  // Finds the largest `side` with side*side + 2*side <= n. This is equivalent to (side + 1)^2 <= n + 1.
  kernel.extents = [](std::int64_t n) {
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
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.traits = [](const Problem& p) {
    const auto side = static_cast<double>(p.extents.x);
    Traits traits = elementwise_traits(2 * side, 1);
    traits.depth = levels(p.extents.x);
    return traits;
  };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason =
      "elements are integers times a power of two, with so few bits that every product and partial "
      "sum is exact in the type: any order of additions, fused or not, gives the same sums";
  kernel.presentation.study = {
      default_study, 9, {claim::small_slower, claim::dear_transfers, claim::never_pays}};
  kernel.presentation.published = {
      {"cuda", "64x4", at_study_sizes({0.58, 14.03, 37.77, 46.21}), at_study_sizes({0.20, 1.09, 1.17, 1.34})},
      {"openacc", "128", at_study_sizes({0.75, 9.64, 38.52, 65.16}),
       at_study_sizes({0.001, 0.02, 0.13, 0.44})}};
  return {kernel};
}

}  // namespace sextant
