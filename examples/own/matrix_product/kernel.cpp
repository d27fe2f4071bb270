// matrix_product: c = a * b. The matrix a has y rows of z elements, b has z rows of x elements, c has y rows
// of x elements.
#include "suite/kernel.hpp"

#include <algorithm>

#include "toolbox/random.hpp"

namespace sextant {
namespace {

constexpr std::int64_t longest_sum = std::int64_t{1} << 20;

// The largest n for which three n x n matrices have at most `elements` elements.
Extents square(std::int64_t elements) {
  std::int64_t n = 0;
  for (std::int64_t step = std::int64_t{1} << 20; step > 0; step /= 2)
    if (3 * (n + step) * (n + step) <= elements) n += step;
  return {n, n, n};
}

std::int64_t length(const Problem& problem, int index) {
  const std::int64_t x = problem.extents.x, y = problem.extents.y, z = problem.extents.z;
  return index == 0 ? y * z : index == 1 ? z * x : y * x;
}

Work work(const Problem& problem) {
  const std::int64_t x = problem.extents.x, y = problem.extents.y, z = problem.extents.z;
  const auto size = static_cast<std::int64_t>(element_size(problem.type));
  return {.bytes_read = (y * z + z * x) * size,
          .bytes_written = y * x * size,
          .flops = 2 * x * y * z,
          .items = x * y};
}

// Whole numbers from -4 to 4. Sums of 2^20 of their products are exact in float, in any order of addition.
template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  const std::int64_t count = length(problem, index);
  for (std::int64_t i = 0; i < count; ++i)
    static_cast<T*>(data)[i] =
        static_cast<T>(static_cast<int>(random_bits(seed, static_cast<std::uint64_t>(i)) % 9) - 4);
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t x = problem.extents.x, y = problem.extents.y, z = problem.extents.z;
  const T* a = static_cast<const T*>(arrays[0]);
  const T* b = static_cast<const T*>(arrays[1]);
#pragma omp parallel for
  for (std::int64_t row = 0; row < y; ++row) {
    double* c = results[2] + row * x;
    std::fill(c, c + x, 0.0);
    for (std::int64_t k = 0; k < z; ++k)
      for (std::int64_t column = 0; column < x; ++column)
        c[column] += static_cast<double>(a[row * z + k]) * static_cast<double>(b[k * x + column]);
  }
}

const char* refuse(const Problem& problem) {
  return problem.extents.z > longest_sum
             ? "more than 2^20 products an element: their sum is not exact in float"
             : nullptr;
}

}  // namespace

std::vector<Kernel> matrix_product_kernels() {
  Kernel kernel;
  kernel.name = "matrix_product";
  kernel.formula = "c = a * b";
  kernel.arrays = {{"a", Role::in}, {"b", Role::in}, {"c", Role::out}};
  kernel.shaped = true;  // -n 100x37x53: 100 columns, 37 rows, sums of 53 products
  kernel.extents = square;
  kernel.length = length;
  kernel.work = work;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "sums of whole numbers that a float holds are exact";
  kernel.refuse = refuse;
  kernel.sizes = {3 * 128 * 128, 3 * 512 * 512, 3 * 1024 * 1024};
  return {kernel};
}

}  // namespace sextant
