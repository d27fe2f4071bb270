#include "suite/kernel.hpp"

#include <algorithm>
#include <utility>

#include "suite/extents.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

template <typename T>
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  T* a = static_cast<T*>(data);
  const WidePlaces wide(problem.extents.x);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i)
    a[i] = wide.has(i) ? wide_number<T>(seed, i) : odd<T>(seed, i, 4);
}

// Computes the sum of each block of elements, then the prefix sums of the blocks, then the sums within each
// block. The data are whole numbers, so all sums are exact.
template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  constexpr std::int64_t block = std::int64_t{1} << 16;
  const T* a = static_cast<const T*>(arrays[0]);
  const std::int64_t n = problem.extents.x, blocks = (n + block - 1) / block;
  std::vector<std::int64_t> sums(static_cast<std::size_t>(blocks));
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < blocks; ++b) {
    std::int64_t sum = 0;
    for (std::int64_t i = b * block; i < std::min(n, (b + 1) * block); ++i)
      sum += static_cast<std::int64_t>(a[i]);
    sums[static_cast<std::size_t>(b)] = sum;
  }
  std::int64_t before = 0;
  for (std::int64_t& sum : sums) before += std::exchange(sum, before);
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < blocks; ++b) {
    std::int64_t sum = sums[static_cast<std::size_t>(b)];
    for (std::int64_t i = b * block; i < std::min(n, (b + 1) * block); ++i) {
      sum += static_cast<std::int64_t>(a[i]);
      results[1][i] = static_cast<double>(sum);
    }
  }
}

Work work(const Problem& p) {
  const std::int64_t n = p.extents.x, bytes = n * static_cast<std::int64_t>(element_size(p.type));
  const bool whole_numbers = p.type == ElementType::int32;
  return {.bytes_read = bytes,
          .bytes_written = bytes,
          .flops = whole_numbers ? 0 : n - 1,
          .items = n,
          .integer_operations = whole_numbers ? n - 1 : 0};
}

}  // namespace

std::vector<Kernel> inclusive_scan_kernels() {
  Kernel kernel;
  kernel.name = "inclusive_scan";
  kernel.group = "scan";
  kernel.formula = "y[i] = a[0] + ... + a[i]";
  kernel.arrays = {{"a", Role::in}, {"y", Role::out}};
  kernel.extents = vector_extents<2>;
  kernel.work = work;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE_INT(initialise);
  kernel.traits = [](const Problem& p) {
    Traits traits = elementwise_traits(1, 1);
    traits.depth = levels(p.extents.x);
    return traits;
  };
  kernel.reference = SEXTANT_FLOAT_DOUBLE_INT(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason =
      "exact in any order of additions: elements are integers of mean 0, odd and at most 7 in "
      "magnitude except for eight of 18 bits (49 in double), so the sum of any range is below "
      "2^24 (2^53)";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
