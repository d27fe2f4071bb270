#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

// Inputs are uniformly distributed in [low, low + range).
struct Range {
  double low, range;
};
// asset price, strike price, and time to expiry in years
constexpr Range ranges[] = {{5, 25}, {1, 99}, {0.25, 9.75}};

template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  T* values = static_cast<T*>(data);
  const Range in = ranges[index];
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i)
    values[i] = static_cast<T>(
        in.low + in.range * (random_element<double>(seed, static_cast<std::uint64_t>(i)) + 1) / 2);
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T *p = static_cast<const T*>(arrays[0]), *k = static_cast<const T*>(arrays[1]),
          *t = static_cast<const T*>(arrays[2]);
  constexpr long double r = blackscholes::rate, v = blackscholes::volatility;
  const auto normal = [](long double d) { return std::erfc(-d / std::sqrt(2.0L)) / 2; };
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) {
    const auto price = static_cast<long double>(p[i]), strike = static_cast<long double>(k[i]),
               time = static_cast<long double>(t[i]);
    const long double spread = v * std::sqrt(time);
    const long double d1 = (std::log(price / strike) + (r + v * v / 2) * time) / spread;
    const long double discounted = strike * std::exp(-r * time);
    const long double call = price * normal(d1) - discounted * normal(d1 - spread);
    results[3][i] = static_cast<double>(call);
    results[4][i] = static_cast<double>(call - price + discounted);
  }
}

Work work(const Problem& p) {
  const std::int64_t n = p.extents.x, bytes = n * static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = 3 * bytes, .bytes_written = 2 * bytes, .flops = 22 * n, .items = n};
}

}  // namespace

std::vector<Kernel> blackscholes_kernels() {
  Kernel kernel;
  kernel.name = "blackscholes";
  kernel.group = "finance";
  kernel.dwarf = "MapReduce";
  kernel.formula = "call = p*N(d1) - k*exp(-r*t)*N(d2), put = call - p + k*exp(-r*t)";
  kernel.arrays = {
      {"p", Role::in}, {"k", Role::in}, {"t", Role::in}, {"call", Role::out}, {"put", Role::out}};
  kernel.extents = vector_extents<5>;
  kernel.work = work;
  kernel.traits = [](const Problem&) {
    Traits traits = elementwise_traits(3, 2);
    traits.special_flops = 7;  // two divisions, a square root, a logarithm, an exponential and two erfc
    return traits;
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = 2048 * unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "in units of rounding of 1: prices are up to 130; rounding errors of d1 are divided by a spread of "
      "at least 0.15 and multiplied by price times density, which gives about 350 units; six times that is "
      "allowed";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
