#include "suite/kernel.hpp"

#include <algorithm>

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  const std::int64_t n = problem.extents.x;
  const ExactSum sum(problem.type, n);
  T* values = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) values[i] = sum.factor<T>(seed, i, i, index == 1);
}

// Computes the reference: sums short blocks in double and adds the block sums in long double. This is exact
// for the inputs above and much more accurate than the variants for any other inputs.
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
                .items = p.extents.x,
                .bytes_sent = p.parts > 1 ? size : 0};  // Each GPU sends its sum to all others.
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.traits = [](const Problem& p) { return sum_traits(p, 2); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason =
      "elements are integers times a power of two, with so few bits that every product and partial "
      "sum is exact in the type: any order of additions, fused or not, gives the same sum, and one "
      "lost product is detected at every size";
  kernel.exchange = {Exchange::Pattern::all_reduce};
  return {kernel};
}

}  // namespace sextant
