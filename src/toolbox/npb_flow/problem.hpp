// Problems of NAS LU, SP and BT: parameters, arrays, and the classes with the values that NPB 3.4.2
// publishes.
#pragma once

#include <cstdint>
#include <span>

#include "suite/problem.hpp"
#include "toolbox/npb_flow/equations.hpp"

namespace sextant::npb::flow {

inline constexpr double verification_tolerance = 1e-8;  // NPB's, for each published value
inline constexpr std::int64_t fewest = 5, most = 2048;  // points per axis; a fourth difference spans five

struct Class {
  const char* name;
  std::int64_t n, iterations;
  double dt;
  double residuals[components], errors[components];
  double integral = 0;  // only LU has one
};

// Parameters of a Problem: the number of steps, and whether the final state is an output.
inline std::int64_t iterations(const Problem& problem) { return problem.parameters[0]; }
inline bool with_field(const Problem& problem) { return problem.parameters[1] != 0; }
inline std::int64_t points(const Problem& problem) { return problem.extents.x; }

// The kernels' arrays: norms of residual and error; the final state by components, with x fastest.
enum Array : int { norms = 0, field = 1 };
inline constexpr int norm_count = 2 * components;

// Returns the class with n points, whatever its number of steps, or null.
inline const Class* class_of(std::span<const Class> classes, std::int64_t n) {
  for (const Class& one : classes)
    if (one.n == n) return &one;
  return nullptr;
}

// Returns the time step of the class, or for other sizes a value between the time steps of the classes.
inline double time_step(std::span<const Class> classes, std::int64_t n) {
  const Class* known = class_of(classes, n);
  return known ? known->dt : 0.1 / static_cast<double>(n);
}

}  // namespace sextant::npb::flow
