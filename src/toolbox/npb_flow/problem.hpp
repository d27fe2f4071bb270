// Problems of NAS LU, SP and BT: classes with what NPB 3.4.2 publishes of them, parameters, arrays.
#pragma once

#include <cstdint>
#include <span>

#include "suite/problem.hpp"
#include "toolbox/npb_flow/equations.hpp"

namespace sextant::npb::flow {

inline constexpr double verification_tolerance = 1e-8;  // NPB's: of each published value
inline constexpr std::int64_t fewest = 5, most = 2048;  // points an axis: a fourth difference has five

struct Class {
  const char* name;
  std::int64_t n, iterations;
  double dt;
  double residuals[components], errors[components];
  double integral = 0;  // LU's
};

// Parameters of a Problem: steps, and whether the last state is an output, too.
inline std::int64_t iterations(const Problem& problem) { return problem.parameters[0]; }
inline bool with_field(const Problem& problem) { return problem.parameters[1] != 0; }
inline std::int64_t points(const Problem& problem) { return problem.extents.x; }

// The kernels' arrays: norms of residual and error; the last state, component by component, x fastest.
enum Array : int { norms = 0, field = 1 };
inline constexpr int norm_count = 2 * components;

// The class of so many points, whatever its steps, or null.
inline const Class* class_of(std::span<const Class> classes, std::int64_t n) {
  for (const Class& one : classes)
    if (one.n == n) return &one;
  return nullptr;
}

// The time step: a class's own, else one between the classes'.
inline double time_step(std::span<const Class> classes, std::int64_t n) {
  const Class* known = class_of(classes, n);
  return known ? known->dt : 0.1 / static_cast<double>(n);
}

}  // namespace sextant::npb::flow
