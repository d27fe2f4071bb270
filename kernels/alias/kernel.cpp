#include "suite/kernel.hpp"

#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

void reference(const Problem& problem, const void* const*, double* const* results) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) results[0][i] = results[1][i] = 1;
}

}  // namespace

std::vector<Kernel> alias_kernels() {
  Kernel kernel;
  kernel.name = "alias";
  kernel.group = "directives";
  kernel.family = "stream";
  kernel.formula = "x[i] = 1; y[i] = x[i]";
  kernel.arrays = {{"x", Role::out}, {"y", Role::out}};
  kernel.extents = vector_extents<2>;
  // Only the writes count as memory traffic: x[i] is read back immediately after it was written.
  kernel.work = [](const Problem& p) {
    const std::int64_t count = p.extents.x;
    return Work{.bytes_read = 0,
                .bytes_written = 2 * count * static_cast<std::int64_t>(element_size(p.type)),
                .flops = 0,
                .items = count};
  };
  kernel.traits = [](const Problem&) { return elementwise_traits(0, 2, Traits::not_known); };
  kernel.reference = {.float32 = reference, .float64 = reference, .int32 = reference};
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "nothing is computed, and the number 1 is exact in every type";
  return {kernel};
}

}  // namespace sextant
