#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using map_chain::steps_of;

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T *x = static_cast<const T*>(arrays[0]), *y0 = static_cast<const T*>(arrays[1]);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) {
    long double y = y0[i];
    for (std::int64_t t = 0; t < steps_of(problem); ++t)
      y = y / 2 + (t % 2 == 0 ? 1 : -1) * static_cast<long double>(x[i]);
    results[2][i] = static_cast<double>(y);
  }
}

Work work(const Problem& p) {
  const std::int64_t n = p.extents.x, bytes = n * static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = 2 * bytes, .bytes_written = bytes, .flops = 2 * n * steps_of(p), .items = n};
}

Traits traits(const Problem& p) {
  const auto steps = static_cast<double>(steps_of(p));
  Traits traits = elementwise_traits(2 * steps, steps);
  traits.depth = steps;
  return traits;
}

}  // namespace

std::vector<Kernel> map_chain_kernels() {
  Kernel kernel;
  kernel.name = "map_chain";
  kernel.group = "map_chain";
  kernel.formula = "y[i] = y[i]/2 + x[i] and y[i] = y[i]/2 - x[i] alternately, from y0[i]";
  kernel.arrays = {{"x", Role::in}, {"y0", Role::in}, {"y", Role::out}};
  kernel.parameter_list = {{"steps", 100, 1, 10000, {1, 2, 5}}};
  kernel.extents = vector_extents<3>;
  kernel.work = work;
  kernel.traits = traits;
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = 6 * unit_roundoff(p.type)}; };
  kernel.tolerance_reason =
      "halving is exact; a sum of at most 2 is rounded by at most two units of roundoff, which "
      "each later map halves: four in total";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
