#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* a = static_cast<const T*>(arrays[0]);
  const auto added = static_cast<double>(problem.parameters[0]);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) results[0][i] = static_cast<double>(a[i]) + added;
}

Kernel increment_kernel(std::int64_t loops) {
  Kernel kernel;
  kernel.name = loops == 1 ? "increment" : "increment2";
  kernel.group = "directives";
  kernel.family = "stream";
  kernel.formula = loops == 1 ? "a[i] = a[i] + 1" : "a[i] = a[i] + 1, in two consecutive loops";
  kernel.parameters = {loops};
  kernel.arrays = {{"a", Role::inout}};
  kernel.extents = vector_extents<1>;
  kernel.work = [](const Problem& p) {
    const std::int64_t bytes = p.extents.x * static_cast<std::int64_t>(element_size(p.type));
    return Work{.bytes_read = bytes,
                .bytes_written = bytes,
                .flops = p.type == ElementType::int32 ? 0 : p.parameters[0] * p.extents.x,
                .items = p.extents.x};
  };
  kernel.traits = [](const Problem& p) {
    const auto passes = static_cast<double>(p.parameters[0]);
    Traits traits = elementwise_traits(passes, passes);
    traits.launches = traits.depth = passes;
    return traits;
  };
  kernel.reference = SEXTANT_FLOAT_DOUBLE_INT(reference);
  kernel.tolerance = [](const Problem& p) {
    return p.type == ElementType::int32 ? Tolerance{} : Tolerance{.absolute = 5 * unit_roundoff(p.type)};
  };
  kernel.tolerance_reason =
      "|a| <= 1, so rounding a + 1 errs by at most u and a + 2 by at most 2 u: 3 u after both "
      "loops; for double elements the reference rounds a + 2 as well, by 2 u: 5 u in total (u = "
      "unit roundoff). Integers are exact";
  return kernel;
}

}  // namespace

std::vector<Kernel> increment_kernels() { return {increment_kernel(1), increment_kernel(2)}; }

}  // namespace sextant
