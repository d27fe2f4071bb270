#include "suite/kernel.hpp"

#include "loop.hpp"
#include "toolbox/host/rounding.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using gemm_batched::batches_of;
using gemm_batched::size_of;

std::int64_t elements_of(const Problem& p) { return batches_of(p) * size_of(p) * size_of(p); }

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t m = size_of(problem), rows = batches_of(problem) * m;
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < rows; ++row) {
    const T* a = static_cast<const T*>(arrays[0]) + row * m;
    const T* b = static_cast<const T*>(arrays[1]) + row / m * m * m;
    for (std::int64_t j = 0; j < m; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < m; ++k)
        sum = std::fma(static_cast<double>(a[k]), static_cast<double>(b[k * m + j]), sum);
      results[2][row * m + j] = sum;
    }
  }
}

Work work(const Problem& p) {
  const std::int64_t count = elements_of(p), bytes = count * static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = 2 * bytes, .bytes_written = bytes, .flops = 2 * count * size_of(p), .items = count};
}

Traits traits(const Problem& p) {
  const auto m = static_cast<double>(size_of(p));
  Traits traits = elementwise_traits(2 * m, 1, m);
  traits.depth = levels(size_of(p));
  return traits;
}

}  // namespace

std::vector<Kernel> gemm_batched_kernels() {
  Kernel kernel;
  kernel.name = "gemm_batched";
  kernel.group = "gemm_batched";
  kernel.family = "product";
  kernel.dwarf = "dense";
  kernel.formula = "C[b] = A[b]*B[b], many small matrices";
  kernel.arrays = {{"A", Role::in}, {"B", Role::in}, {"C", Role::out}};
  kernel.parameter_list = {{"size", 16, 2, 128, {2, 4, 7, 8, 13, 31, 32, 64, 128}}};
  kernel.extents = vector_extents<3>;
  kernel.length = [](const Problem& p, int) { return elements_of(p); };
  kernel.work = work;
  kernel.traits = traits;
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return rounded_sum_tolerance(p, size_of(p), 4); };
  kernel.tolerance_reason =
      "sums of m products of two numbers uniform in [-1, 1) are random walks: m additions in sequence "
      "round them with a standard deviation of u m/7.3. Allowed are 4 u (m + 4), because the worst of all "
      "elements counts; products with 11-bit significands (TF32) err far more";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
