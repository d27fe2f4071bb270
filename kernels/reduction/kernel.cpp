#include "suite/kernel.hpp"

#include <algorithm>

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

template <typename T>
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  const std::int64_t n = problem.extents.x;
  const ExactSum sum(problem.type, n);
  T* a = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) a[i] = sum.term<T>(seed, i, i);
}

// Computes the reference: sums short blocks in double and adds the block sums in long double. This is exact
// for the inputs above and much more accurate than the variants for any other inputs.
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
                .items = p.extents.x,
                .bytes_sent = p.parts > 1 ? size : 0};  // Each GPU sends its sum to all others.
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.traits = [](const Problem& p) { return sum_traits(p, 1); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason =
      "elements are integers times a power of two, with so few bits that every partial sum is "
      "exact in the type: any order of additions gives the same sum, and one lost element is "
      "detected at every size";
  kernel.exchange = {Exchange::Pattern::all_reduce};
  kernel.presentation.study = {default_study, 5, {claim::small_slower}};
  kernel.presentation.published = {{"cuda", "128"}, {"openacc", "128"}};
  return {kernel};
}

}  // namespace sextant
