// What matmul and matmul_naive share: they are one problem and differ in their serial loop.
#pragma once

#include "reference.hpp"
#include "suite/extents.hpp"
#include "suite/kernel.hpp"
#include "toolbox/host/rounding.hpp"

namespace sextant::matmul {

inline Kernel definition(const char* name, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "matrix";
  kernel.formula = formula;
  kernel.arrays = {{"A", Role::in}, {"B", Role::in}, {"C", Role::out}};
  kernel.extents = square_extents<3>;
  kernel.work = [](const Problem& p) {
    const std::int64_t count = p.extents.count();
    const std::int64_t bytes = count * static_cast<std::int64_t>(element_size(p.type));
    return Work{
        .bytes_read = 2 * bytes, .bytes_written = bytes, .flops = 2 * count * p.extents.x, .items = count};
  };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) { return rounded_sum_tolerance(p, p.extents.x, 4); };
  kernel.tolerance_reason =
      "products of two numbers uniform in [-1, 1) have variance 1/9, so the partial sum of k of them is a "
      "random walk of variance k/9, and its rounding errs by at most u times it (variance u^2 k/27, were "
      "it uniform): over n additions in a row a standard deviation of u n/7.3. Allowed are 4 u (n + 4), 29 "
      "times that, since the worst of n^2 elements counts; other orders and fused operations err less, "
      "11-bit products far more";
  return kernel;
}

}  // namespace sextant::matmul
