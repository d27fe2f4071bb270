#include "suite/kernel.hpp"

#include <cmath>

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using fft1d::batches_of;
using fft1d::length_of;
using fft1d::numbers_of;

struct Number {
  long double re, im;
};

std::vector<Number> long_factors(std::int64_t length) {
  std::vector<Number> factors(static_cast<std::size_t>(length / 2));
  const long double angle = -2 * std::acos(-1.0L) / static_cast<long double>(length);
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < length / 2; ++k)
    factors[static_cast<std::size_t>(k)] = {std::cos(angle * static_cast<long double>(k)),
                                            std::sin(angle * static_cast<long double>(k))};
  return factors;
}

// One transform by radix-2 decimation in frequency. Results are in bit-reversed order.
void transform(Number* values, std::int64_t length, const std::vector<Number>& factors) {
  for (std::int64_t half = length / 2, step = 1; half > 0; half /= 2, step *= 2)
    for (std::int64_t first = 0; first < length; first += 2 * half)
      for (std::int64_t k = 0; k < half; ++k) {
        Number &low = values[first + k], &high = values[first + k + half];
        const Number w = factors[static_cast<std::size_t>(k * step)];
        const Number difference = {low.re - high.re, low.im - high.im};
        low = {low.re + high.re, low.im + high.im};
        high = {difference.re * w.re - difference.im * w.im, difference.re * w.im + difference.im * w.re};
      }
}

std::int64_t reversed(std::int64_t place, std::int64_t length) {
  std::int64_t other = 0;
  for (std::int64_t bit = 1; bit < length; bit *= 2) other = 2 * other + (place & bit ? 1 : 0);
  return other;
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t length = length_of(problem), batches = batches_of(problem);
  const std::vector<Number> factors = long_factors(length);
  const T* x = static_cast<const T*>(arrays[0]);
#pragma omp parallel
  {
    std::vector<Number> values(static_cast<std::size_t>(length));
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < batches; ++b) {
      for (std::int64_t j = 0; j < length; ++j)
        values[static_cast<std::size_t>(j)] = {x[2 * (b * length + j)], x[2 * (b * length + j) + 1]};
      transform(values.data(), length, factors);
      double* X = results[1] + 2 * b * length;
      for (std::int64_t j = 0; j < length; ++j) {
        const std::int64_t k = reversed(j, length);
        X[2 * k] = static_cast<double>(values[static_cast<std::size_t>(j)].re);
        X[2 * k + 1] = static_cast<double>(values[static_cast<std::size_t>(j)].im);
      }
    }
  }
}

Work work(const Problem& p) {
  const std::int64_t numbers = numbers_of(p),
                     bytes = numbers * static_cast<std::int64_t>(element_size(p.type));
  const auto stages = static_cast<std::int64_t>(std::countr_zero(static_cast<std::uint64_t>(length_of(p))));
  return {
      .bytes_read = bytes, .bytes_written = bytes, .flops = 5 * numbers / 2 * stages, .items = numbers / 2};
}

Traits traits(const Problem& p) {
  const double stages = std::countr_zero(static_cast<std::uint64_t>(length_of(p)));
  Traits traits = elementwise_traits(2 + 3 * stages, 2 + 2 * stages, 2, 2);
  // Up to this many stages, a transform fits in a cache and needs no synchronization with other threads.
  constexpr double together = 16;
  traits.launches = stages > together ? 1 + stages : 1;
  traits.depth = std::max(1.0, stages);
  return traits;
}

const char* refuse(const Problem& problem) {
  return std::has_single_bit(static_cast<std::uint64_t>(problem.parameters[0]))
             ? nullptr
             : "length is not a power of two";
}

}  // namespace

std::vector<Kernel> fft1d_kernels() {
  Kernel kernel;
  kernel.name = "fft1d";
  kernel.group = "fft1d";
  kernel.dwarf = "spectral";
  kernel.formula = "X[k] = sum over j of x[j]*exp(-2 pi i j k/length), for each transform of a batch";
  kernel.arrays = {{"x", Role::in}, {"X", Role::out}};
  kernel.parameter_list = {
      {"length", 1024, 2, std::int64_t{1} << 24, {2, 8, 64, 512, 4096, 8192, 16384, 32768, 65536, 1 << 17}}};
  kernel.extents = [](std::int64_t n) { return Extents{n / 4 * 2, 1, 1}; };
  kernel.length = [](const Problem& p, int) { return numbers_of(p); };
  kernel.refuse = refuse;
  kernel.work = work;
  kernel.traits = traits;
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) {
    const auto length = static_cast<double>(length_of(p));
    return Tolerance{.absolute =
                         (10 + 2 * std::log2(length)) * std::sqrt(length / 3) * unit_roundoff(p.type)};
  };
  kernel.tolerance_reason =
      "a result is a sum of `length` numbers of variance 1/3, with standard deviation root(length/3). In "
      "units of rounding of that, radix 2 with rounded factors errs by 2 on average and by at most 12 at "
      "length 8192; allowed are 10 + 2 log2(length)";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
