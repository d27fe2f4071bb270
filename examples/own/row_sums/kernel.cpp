// row_sums: s[y] = a[y][0] + a[y][1] + ... for a matrix of w columns and h rows.
#include "suite/kernel.hpp"

#include <algorithm>

#include "toolbox/random.hpp"

namespace sextant {
namespace {

// The largest square matrix that fits together with its sums: n * n + n elements.
Extents square(std::int64_t elements) {
  std::int64_t n = 0;
  for (std::int64_t step = std::int64_t{1} << 20; step > 0; step /= 2)
    if ((n + step) * (n + step + 1) <= elements) n += step;
  return {n, n, 1};
}

std::int64_t length(const Problem& problem, int index) {
  return index == 0 ? problem.extents.x * problem.extents.y : problem.extents.y;
}

Work work(const Problem& problem) {
  const auto size = static_cast<std::int64_t>(element_size(problem.type));
  const std::int64_t elements = length(problem, 0), rows = length(problem, 1);
  return {.bytes_read = elements * size, .bytes_written = rows * size, .flops = elements, .items = rows};
}

// Whole numbers from -8 to 8. Sums of 2^21 of them are exact in float, in any order of addition.
template <typename T>
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  for (std::int64_t i = 0; i < length(problem, 0); ++i)
    static_cast<T*>(data)[i] =
        static_cast<T>(static_cast<int>(random_bits(seed, static_cast<std::uint64_t>(i)) % 17) - 8);
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t w = problem.extents.x;
  const T* a = static_cast<const T*>(arrays[0]);
  for (std::int64_t y = 0; y < problem.extents.y; ++y) {
    double sum = 0;
    for (std::int64_t x = 0; x < w; ++x) sum += static_cast<double>(a[y * w + x]);
    results[1][y] = sum;
  }
}

const char* refuse(const Problem& problem) {
  return problem.extents.x > std::int64_t{1} << 21 ? "more than 2^21 columns: their sum is not exact in float"
                                                   : nullptr;
}

}  // namespace

std::vector<Kernel> row_sums_kernels() {
  Kernel kernel;
  kernel.name = "row_sums";
  kernel.formula = "s[y] = sum of a[y][x] over x";
  kernel.arrays = {{"a", Role::in}, {"s", Role::out}};
  kernel.shaped = true;  // -n 100x37: 100 columns, 37 rows
  kernel.extents = square;
  kernel.length = length;
  kernel.work = work;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "sums of whole numbers that a float holds are exact";
  kernel.refuse = refuse;
  return {kernel};
}

}  // namespace sextant
