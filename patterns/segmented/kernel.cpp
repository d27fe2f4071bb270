#include "suite/kernel.hpp"

#include <algorithm>
#include <bit>

#include "loop.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using segmented::elements_of;

// largest number of segments; the ruler sequence defines this many lengths
constexpr std::int64_t most_rows = (std::int64_t{1} << 28) - 1;

// Largest number of segments m such that m + 1 offsets, about 8 m elements and m sums fit in n elements.
Extents few_extents(std::int64_t n) { return {n < 1 ? 0 : (n - 1) / 10, 1, 1}; }

// Largest number of segments m such that m + 1 offsets, the segments' elements and m sums fit in n elements.
Extents ruler_extents(std::int64_t n) {
  std::int64_t low = 0, high = most_rows + 1;
  while (high - low > 1) {
    const std::int64_t m = (low + high) / 2;
    (ruler_offset(m) + 2 * m + 1 <= n ? low : high) = m;
  }
  return {low, 1, 1};
}

std::int64_t length(const Problem& p, int index) {
  return index == 0 ? p.extents.x + 1 : index == 1 ? elements_of(p) : p.extents.x;
}

std::int64_t offset(const Problem& p, std::int64_t j) {
  if (p.parameters[0] == segmented::of_ruler) return ruler_offset(j);
  const std::int64_t mean = segmented::mean_of_few, middle = mean * j;
  return j == 0 || j == p.extents.x ? middle : middle - mean / 2 + below(structure_seed(1), j, mean + 1);
}

std::int64_t longest(const Problem& p) {
  if (p.parameters[0] == segmented::of_few) return 2 * segmented::mean_of_few;
  return ruler_length(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(p.extents.x))) - 1);
}

template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  const std::int64_t count = length(problem, index);
  if (index == 0) {
    auto* o = static_cast<std::int32_t*>(data);
#pragma omp parallel for schedule(static)
    for (std::int64_t j = 0; j < count; ++j) o[j] = static_cast<std::int32_t>(offset(problem, j));
  } else {
    T* a = static_cast<T*>(data);
    const WidePlaces wide(longest(problem));
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i)
      a[i] = wide.has(i) ? wide_number<T>(seed, i) : odd<T>(seed, i, 4);
  }
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const auto* o = static_cast<const std::int32_t*>(arrays[0]);
  const T* a = static_cast<const T*>(arrays[1]);
#pragma omp parallel for schedule(dynamic, 256)
  for (std::int64_t j = 0; j < problem.extents.x; ++j) {
    std::int64_t sum = 0;
    for (std::int64_t i = o[j]; i < o[j + 1]; ++i) sum += static_cast<std::int64_t>(a[i]);
    results[2][j] = static_cast<double>(sum);
  }
}

Work work(const Problem& p) {
  const std::int64_t n = elements_of(p), m = p.extents.x,
                     size = static_cast<std::int64_t>(element_size(p.type));
  const bool whole_numbers = p.type == ElementType::int32;
  return {.bytes_read = n * size + 4 * (m + 1),
          .bytes_written = m * size,
          .flops = whole_numbers ? 0 : n - m,
          .items = n,
          .integer_operations = whole_numbers ? n - m : 0};
}

Traits traits(const Problem& p) {
  const auto items = static_cast<double>(elements_of(p)), segments = static_cast<double>(p.extents.x);
  Traits traits = elementwise_traits(1 + (segments + 1) / items, segments / items);
  traits.reduction = 1;
  traits.depth = levels(longest(p));
  traits.divergence = segments / items;  // the lanes of a warp diverge at each segment end
  return traits;
}

Kernel with_lengths(segmented::Lengths lengths, const char* name, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "segmented";
  kernel.dwarf = "MapReduce";
  kernel.formula = formula;
  kernel.arrays = {{"o", Role::in, ElementType::int32}, {"a", Role::in}, {"y", Role::out}};
  kernel.parameters = {lengths};
  kernel.extents = lengths == segmented::of_few ? few_extents : ruler_extents;
  kernel.length = length;
  kernel.refuse = [](const Problem& p) {
    return elements_of(p) > INT32_MAX ? "more elements than an int32 can count" : nullptr;
  };
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE_INT(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE_INT(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason =
      "exact in any order of additions: elements are odd integers of at most 7 in magnitude, "
      "except for at most eight per segment of 18 bits (49 in double), so partial sums of a "
      "segment's up to 2^20 elements are integers below 2^24 (2^53)";
  kernel.sizes = pattern_sizes;
  return kernel;
}

}  // namespace

std::vector<Kernel> segmented_kernels() {
  return {with_lengths(segmented::of_few, "segmented_short",
                       "y[j] = sum of a[o[j]] ... a[o[j+1]-1], 0 to 16 elements"),
          with_lengths(segmented::of_ruler, "segmented_ruler",
                       "y[j] = sum of a[o[j]] ... a[o[j+1]-1], lengths with a heavy tail")};
}

}  // namespace sextant
