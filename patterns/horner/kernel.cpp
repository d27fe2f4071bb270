#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

using horner::degree_of;

constexpr std::int64_t preferred = 64;  // default degree of the polynomial

// x and y share equally the elements that remain after the coefficients of the default degree.
Extents extents(std::int64_t n) { return {n > preferred ? (n - preferred - 1) / 2 : 0, 1, 1}; }

std::int64_t length(const Problem& p, int index) { return index == 0 ? degree_of(p) + 1 : p.extents.x; }

// The absolute values of the coefficients add up to at most 1.
template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  T* values = static_cast<T*>(data);
  const std::int64_t count = length(problem, index);
  const T share = index == 0 ? static_cast<T>(count) : 1;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = random_element<T>(seed, static_cast<std::uint64_t>(i)) / share;
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T *c = static_cast<const T*>(arrays[0]), *x = static_cast<const T*>(arrays[1]);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) {
    const auto place = static_cast<long double>(x[i]);
    long double sum = 0;
    for (std::int64_t k = degree_of(problem); k >= 0; --k) sum = sum * place + static_cast<long double>(c[k]);
    results[2][i] = static_cast<double>(sum);
  }
}

Work work(const Problem& p) {
  const std::int64_t n = p.extents.x, size = static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = (n + degree_of(p) + 1) * size,
          .bytes_written = n * size,
          .flops = 2 * degree_of(p) * n,
          .items = n};
}

}  // namespace

std::vector<Kernel> horner_kernels() {
  Kernel kernel;
  kernel.name = "horner";
  kernel.group = "polynomial";
  kernel.formula = "y[i] = c[0] + x[i]*(c[1] + x[i]*(c[2] + ... + x[i]*c[d]))";
  kernel.arrays = {{"c", Role::in}, {"x", Role::in}, {"y", Role::out}};
  kernel.parameter_list = {{"degree", preferred, 1, 4096, {16, 1, 2, 15, 33, 300}}};
  kernel.extents = extents;
  kernel.length = length;
  kernel.work = work;
  kernel.traits = [](const Problem& p) {
    Traits traits = elementwise_traits(static_cast<double>(degree_of(p) + 2), 1);
    traits.depth = levels(degree_of(p) + 1);
    return traits;
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) {
    return Tolerance{.absolute = (4 + std::sqrt(static_cast<double>(degree_of(p)))) * unit_roundoff(p.type)};
  };
  kernel.tolerance_reason =
      "coefficients are at most 1/(d+1), so sums stay below 1. The two roundings of a step act on values "
      "that are random walks around sqrt(k)/d; a missing coefficient shows as 1/(2d)";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
