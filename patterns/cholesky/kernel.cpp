#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

// Fills A with 1 on the diagonal and small values elsewhere. All eigenvalues are within 0.3 of 1.
template <typename T>
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  const std::int64_t n = problem.extents.x;
  const T scale = static_cast<T>(1 / (4 * std::sqrt(static_cast<double>(n))));
  T* a = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t low = std::max(i, j), place = low * (low - 1) / 2 + std::min(i, j);
      a[i * n + j] = i == j ? T(1) : random_element<T>(seed, static_cast<std::uint64_t>(place)) * scale;
    }
}

// Computes L column by column, with sums in long double.
template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t n = problem.extents.x;
  const T* a = static_cast<const T*>(arrays[0]);
  std::vector<long double> factor(static_cast<std::size_t>(n * n));
  for (std::int64_t j = 0; j < n; ++j) {
    long double* row = factor.data() + j * n;
    long double square = a[j * n + j];
    for (std::int64_t k = 0; k < j; ++k) square -= row[k] * row[k];
    row[j] = std::sqrt(square);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = j + 1; i < n; ++i) {
      long double* other = factor.data() + i * n;
      long double sum = a[i * n + j];
      for (std::int64_t k = 0; k < j; ++k) sum -= other[k] * row[k];
      other[j] = sum / row[j];
    }
  }
  for (std::int64_t at = 0; at < n * n; ++at)
    results[1][at] = static_cast<double>(factor[static_cast<std::size_t>(at)]);
}

// Counts n (n^2 - 1) / 6 multiplications with a subtraction each, n (n - 1) / 2 divisions and n square roots.
Work work(const Problem& p) {
  const std::int64_t n = p.extents.x, bytes = n * n * static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = bytes,
          .bytes_written = bytes,
          .flops = n * (n * n - 1) / 3 + n * (n + 1) / 2,
          .items = n * n};
}

Traits traits(const Problem& p) {
  const auto n = static_cast<double>(p.extents.x);
  const double all = n * n, pairs = n * (n * n - 1) / 6;
  Traits traits = elementwise_traits((n * (n + 1) / 2 + 2 * pairs) / all, 1);
  traits.special_flops = n * (n + 1) / 2 / all;
  traits.depth = n;
  return traits;
}

}  // namespace

std::vector<Kernel> cholesky_kernels() {
  Kernel kernel;
  kernel.name = "cholesky";
  kernel.group = "cholesky";
  kernel.dwarf = "dense";
  kernel.formula = "A = L*L', L lower triangular";
  kernel.arrays = {{"A", Role::in}, {"L", Role::out}};
  kernel.extents = square_extents<2>;
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) {
    const double u = unit_roundoff(p.type);
    return Tolerance{.absolute = 2 * u,
                     .relative = (4 + 2 * std::sqrt(static_cast<double>(p.extents.x))) * u};
  };
  kernel.tolerance_reason =
      "elements off the diagonal are about 0.14/root(n); in trials they err by at most 0.4 units of "
      "rounding of 1. Diagonal elements, each from a sum of up to n squares, err by a third of root(n) "
      "units. Several times that is allowed, less than one missing product";
  kernel.sizes = {study_sizes[0], study_sizes[1], study_sizes[2], study_sizes[3], std::int64_t{1} << 25};
  return {kernel};
}

}  // namespace sextant
