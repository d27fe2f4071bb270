#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

using tridiagonal::length_of;
using tridiagonal::systems_of;

enum Array { a, b, c, d, x };

std::int64_t elements_of(const Problem& p) { return systems_of(p) * length_of(p); }

// In each row, the diagonal coefficient exceeds the sum of the other two by at least 1. So no pivoting is
// needed, and no unknown exceeds 1 in magnitude.
template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  const std::int64_t length = length_of(problem), count = elements_of(problem);
  T* values = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const T drawn = random_element<T>(seed, static_cast<std::uint64_t>(i));
    const std::int64_t row = i % length;
    const bool outside = (index == a && row == 0) || (index == c && row == length - 1);
    values[i] = index == b ? static_cast<T>(3.5) + drawn / 2 : outside ? T(0) : drawn;
  }
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t length = length_of(problem), systems = systems_of(problem);
  const auto of = [&](int index) { return static_cast<const T*>(arrays[index]); };
#pragma omp parallel
  {
    std::vector<long double> gamma(static_cast<std::size_t>(length)), delta(gamma.size());
#pragma omp for schedule(static)
    for (std::int64_t s = 0; s < systems; ++s) {
      long double gamma_before = 0, delta_before = 0;
      for (std::int64_t j = 0; j < length; ++j) {
        const std::int64_t i = s * length + j;
        const auto at = static_cast<std::size_t>(j);
        const long double pivot = of(b)[i] - of(a)[i] * gamma_before;
        gamma[at] = gamma_before = of(c)[i] / pivot;
        delta[at] = delta_before = (of(d)[i] - of(a)[i] * delta_before) / pivot;
      }
      long double after = 0;
      for (std::int64_t j = length - 1; j >= 0; --j) {
        const auto at = static_cast<std::size_t>(j);
        after = delta[at] - gamma[at] * after;
        results[x][s * length + j] = static_cast<double>(after);
      }
    }
  }
}

Work work(const Problem& p) {
  const std::int64_t count = elements_of(p), bytes = count * static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = 4 * bytes, .bytes_written = bytes, .flops = 8 * count, .items = count};
}

Traits traits(const Problem& p) {
  const auto length = static_cast<double>(length_of(p));
  Traits traits = elementwise_traits(6 - 2 / length, 3 - 1 / length);
  traits.special_flops = 1;
  traits.depth = levels(length_of(p));
  return traits;
}

}  // namespace

std::vector<Kernel> tridiagonal_kernels() {
  Kernel kernel;
  kernel.name = "tridiagonal";
  kernel.group = "tridiagonal";
  kernel.dwarf = "dense";
  kernel.formula = "a[j]*x[j-1] + b[j]*x[j] + c[j]*x[j+1] = d[j] for each system";
  kernel.arrays = {{"a", Role::in}, {"b", Role::in}, {"c", Role::in}, {"d", Role::in}, {"x", Role::out}};
  kernel.parameter_list = {
      {"length", 256, 2, std::int64_t{1} << 22, {2, 3, 7, 64, 500, 512, 4097, std::int64_t{1} << 22}}};
  kernel.extents = vector_extents<5>;
  kernel.length = [](const Problem& p, int) { return elements_of(p); };
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = 8 * unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "the diagonal exceeds the other two coefficients of a row by at least 1, so that "
      "rounding errors shrink from row to row and no unknown exceeds 1: elimination errs by "
      "about one unit of roundoff, cyclic reduction by 1.5; 8 are allowed";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
