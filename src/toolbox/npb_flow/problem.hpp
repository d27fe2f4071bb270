// Problems of the NAS benchmarks LU, SP and BT: parameters, arrays and problem classes (S, W, A, …) with the
// results that NPB 3.4.2 publishes.
#pragma once

#include <cstdint>
#include <span>

#include "suite/problem.hpp"
#include "toolbox/npb_flow/equations.hpp"

namespace sextant::npb::flow {

inline constexpr double verification_tolerance = 1e-8;  // relative tolerance of NPB for each published value
// Limits of the number of points per axis. A fourth difference spans five points.
inline constexpr std::int64_t fewest = 5, most = 2048;

struct Class {
  const char* name;
  std::int64_t n, iterations;
  double dt;
  double residuals[components], errors[components];
  double integral = 0;  // published integral; only LU has one
};

// Read a Problem: the number of time steps, whether the final state is an output, and the points per axis.
inline std::int64_t iterations(const Problem& problem) { return problem.parameters[0]; }
inline bool with_field(const Problem& problem) { return problem.parameters[1] != 0; }
inline std::int64_t points(const Problem& problem) { return problem.extents.x; }

// The kernels' arrays. `norms` holds the norms of the residual, then those of the error. `field` holds the
// final state, one component after the other, with x as the fastest index.
enum Array : int { norms = 0, field = 1 };
inline constexpr int norm_count = 2 * components;

// Returns the problem class with n points per axis, whatever the number of steps, or null.
inline const Class* class_of(std::span<const Class> classes, std::int64_t n) {
  for (const Class& one : classes)
    if (one.n == n) return &one;
  return nullptr;
}

// Returns the time step of the class with n points, or 0.1 / n for other sizes.
inline double time_step(std::span<const Class> classes, std::int64_t n) {
  const Class* known = class_of(classes, n);
  return known ? known->dt : 0.1 / static_cast<double>(n);
}

}  // namespace sextant::npb::flow
