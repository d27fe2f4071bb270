#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using softmax::columns_of;
using softmax::rows_of;

std::int64_t elements_of(const Problem& p) { return rows_of(p) * columns_of(p); }

// Returns the value around which the elements of row r are distributed. It is so large that exp overflows or
// gives only zeros unless the row's maximum is subtracted first.
double middle_of(std::uint64_t seed, std::int64_t r) {
  const double distance = 1024.0 * static_cast<double>(1 + below(further_seed(seed, 1), r, 3));
  return random_bits(further_seed(seed, 2), static_cast<std::uint64_t>(r)) >> 63 ? -distance : distance;
}

template <typename T>
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  const std::int64_t columns = columns_of(problem), count = elements_of(problem);
  T* x = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i)
    x[i] =
        static_cast<T>(middle_of(seed, i / columns)) + random_element<T>(seed, static_cast<std::uint64_t>(i));
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t rows = rows_of(problem), columns = columns_of(problem);
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < rows; ++r) {
    const T* x = static_cast<const T*>(arrays[0]) + r * columns;
    double* y = results[1] + r * columns;
    const double most = static_cast<double>(*std::max_element(x, x + columns));
    long double sum = 0;
    for (std::int64_t c = 0; c < columns; ++c) sum += y[c] = std::exp(static_cast<double>(x[c]) - most);
    for (std::int64_t c = 0; c < columns; ++c) y[c] = static_cast<double>(y[c] / sum);
  }
}

Work work(const Problem& p) {
  const std::int64_t count = elements_of(p), bytes = count * static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = bytes, .bytes_written = bytes, .flops = 5 * count, .items = count};
}

Traits traits(const Problem& p) {
  Traits traits = elementwise_traits(3, 2);
  traits.special_flops = 2;  // an exponential and a division
  traits.depth = 2 * levels(columns_of(p));
  return traits;
}

}  // namespace

std::vector<Kernel> softmax_kernels() {
  Kernel kernel;
  kernel.name = "softmax";
  kernel.group = "softmax";
  kernel.dwarf = "dense";
  kernel.formula = "y[r][c] = exp(x[r][c] - max of row r) / their sum";
  kernel.arrays = {{"x", Role::in}, {"y", Role::out}};
  kernel.parameter_list = {
      {"row", 1024, 1, std::int64_t{1} << 18, {1, 7, 32, 1000, 4097, 20000, std::int64_t{1} << 18}}};
  kernel.extents = vector_extents<2>;
  kernel.length = [](const Problem& p, int) { return elements_of(p); };
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) {
    const double columns = static_cast<double>(columns_of(p));
    return Tolerance{.relative = (64 + 2 * std::sqrt(columns)) * unit_roundoff(p.type)};
  };
  kernel.tolerance_reason =
      "units of roundoff, relative: about 10 from exp by a base-2 instruction on [-2, 0], and "
      "half the square root of the row's length from a sum in order, with a margin of a factor "
      "of four";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
