#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

using conv2d::radius_of;
using conv2d::width_of;

constexpr std::int64_t preferred = 3;  // default radius

// The largest square grid for which input, output and the weights for the default radius fit in n elements.
Extents extents(std::int64_t n) {
  constexpr std::int64_t taps = (2 * preferred + 1) * (2 * preferred + 1);
  const std::int64_t side = n < taps ? 0 : square_root((n - taps) / 2);
  return {side, side, 1};
}

std::int64_t length(const Problem& p, int index) {
  return index == 1 ? width_of(p) * width_of(p) : p.extents.x * p.extents.y;
}

// The absolute values of the weights add up to at most 1.
template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  T* values = static_cast<T*>(data);
  const std::int64_t count = length(problem, index);
  const T share = index == 1 ? static_cast<T>(count) : 1;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = random_element<T>(seed, static_cast<std::uint64_t>(i)) / share;
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t n = problem.extents.x, R = radius_of(problem), width = width_of(problem);
  const T *x = static_cast<const T*>(arrays[0]), *w = static_cast<const T*>(arrays[1]);
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) {
      long double sum = 0;
      for (std::int64_t b = std::max<std::int64_t>(0, R - j); b < std::min(width, n + R - j); ++b) {
        const T *row = x + (j + b - R) * n + i - R, *weights = w + b * width;
        for (std::int64_t a = std::max<std::int64_t>(0, R - i); a < std::min(width, n + R - i); ++a)
          sum += static_cast<long double>(weights[a]) * static_cast<long double>(row[a]);
      }
      results[2][j * n + i] = static_cast<double>(sum);
    }
}

// The number of products with points inside the grid. In each dimension, R (R + 1) of the n (2R + 1) products
// use points outside the grid and are not counted.
double products_of(const Problem& p) {
  const std::int64_t n = p.extents.x, R = radius_of(p);
  std::int64_t inside = 0;
  for (std::int64_t a = -R; a <= R; ++a) inside += std::max<std::int64_t>(0, n - std::abs(a));
  return static_cast<double>(inside) * static_cast<double>(inside);
}

Work work(const Problem& p) {
  const std::int64_t points = p.extents.count(), taps = width_of(p) * width_of(p),
                     size = static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = (points + taps) * size,
          .bytes_written = points * size,
          .flops = 2 * taps * points,
          .items = points};
}

}  // namespace

std::vector<Kernel> conv2d_kernels() {
  Kernel kernel;
  kernel.name = "conv2d";
  kernel.group = "convolution";
  kernel.dwarf = "structured";
  kernel.formula = "y[j][i] = sum of w[b][a]*x[j+b-R][i+a-R], zero outside";
  kernel.arrays = {{"x", Role::in}, {"w", Role::in}, {"y", Role::out}};
  kernel.parameter_list = {{"radius", preferred, 1, 7, {1, 2, 4, 5, 6, 7}}};
  kernel.extents = extents;
  kernel.length = length;
  kernel.work = work;
  kernel.traits = [](const Problem& p) {
    const auto points = static_cast<double>(p.extents.count());
    Traits traits = elementwise_traits(2 * products_of(p) / points, 1);
    traits.depth = levels(width_of(p) * width_of(p));
    return traits;
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = 6 * unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "weights are at most 1/taps, so sums stay below 1 at every step. They are random walks around 1/(3 "
      "sqrt(taps)), whose rounding errors add up to less than 6 units; products with 11-bit significands "
      "(TF32) would err by tens of times that";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
