// Reference functions and operation counts for kernels that compute one output element per index.
#pragma once

#include "suite/extents.hpp"
#include "suite/kernel.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {

// Returns the work of reading `reads` arrays and writing one, all with the problem's extents.
inline Work elementwise_work(const Problem& problem, int reads, std::int64_t flops) {
  const std::int64_t count = problem.extents.count();
  const std::int64_t bytes = count * static_cast<std::int64_t>(element_size(problem.type));
  return {.bytes_read = reads * bytes, .bytes_written = bytes, .flops = flops, .items = count};
}

// Reference for kernels that copy b to c in some order of access. The result must be exact.
template <typename T>
void copy_reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* b = static_cast<const T*>(arrays[0]);
  double* c = results[1];
  const std::int64_t count = problem.extents.count();
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) c[i] = static_cast<double>(b[i]);
}

inline Kernel copying_kernel(const char* name, const char* group, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = group;
  kernel.formula = formula;
  kernel.arrays = {{"b", Role::in}, {"c", Role::out}};
  kernel.extents = vector_extents<2>;
  kernel.work = [](const Problem& p) { return elementwise_work(p, 1, 0); };
  kernel.traits = [](const Problem&) { return elementwise_traits(1, 1); };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(copy_reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "a copy must be bitwise identical";
  return kernel;
}

}  // namespace sextant
