// What matmul and matmul_naive share: they are one problem and differ in their serial loop.
#pragma once

#include "reference.hpp"
#include "suite/extents.hpp"
#include "suite/kernel.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/rounding.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant::matmul {

// Up to this side sums are exact, and the tolerance nothing. Beyond it elements are random in all their bits:
// products of few bits draw less power on a GPU, which would be timed.
inline constexpr std::int64_t exact_side = 512;

// A's column k and B's row k share the bits of a product.
template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  const std::int64_t n = problem.extents.x;
  const int bits = exact_bits(problem.type, n);
  T* values = static_cast<T*>(data);
  if (n > exact_side) return fill_uniform(seed, n * n, values);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n * n; ++i) {
    const std::int64_t k = index == 0 ? i % n : i / n;
    values[i] = exact_element<T>(seed, i, factor_bits(bits, k % 2 == index));
  }
}

inline Kernel definition(const char* name, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "matrix";
  kernel.family = "product";
  kernel.formula = formula;
  kernel.arrays = {{"A", Role::in}, {"B", Role::in}, {"C", Role::out}};
  kernel.extents = square_extents<3>;
  kernel.work = [](const Problem& p) {
    const std::int64_t count = p.extents.count();
    const std::int64_t bytes = count * static_cast<std::int64_t>(element_size(p.type));
    return Work{
        .bytes_read = 2 * bytes, .bytes_written = bytes, .flops = 2 * count * p.extents.x, .items = count};
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) {
    if (p.extents.x <= exact_side) return Tolerance{};
    return rounded_sum_tolerance(p, p.extents.x, 4);
  };
  kernel.tolerance_reason =
      "up to a side of 512 elements are whole numbers times a power of two, of so few bits that any order "
      "gives each sum to the last bit. Beyond: products of two numbers uniform in [-1, 1) have variance "
      "1/9, so the partial sum of k of them is a random walk of variance k/9, and its rounding errs by at "
      "most u times it (variance u^2 k/27, were it uniform): over n additions in a row a standard "
      "deviation of u n/7.3. Allowed are 4 u (n + 4), 29 times that, since the worst of n^2 elements "
      "counts; other orders and fused operations err less, 11-bit products far more";
  return kernel;
}

}  // namespace sextant::matmul
