// Norms that NPB 3.4.2 publishes for MG (MG/mg.f90), and NPB's tolerance.
#pragma once

#include "problem.hpp"

namespace sextant::npb_mg {

inline constexpr double verification_tolerance = 1e-8;

struct Class {
  const char* name;
  std::int64_t side, iterations;
  bool later;   // true if it uses the smoother of NAS problem classes B and larger
  double norm;  // norm of r after the last iteration
};

inline constexpr Class classes[] = {
    {"S", 32, 4, false, 0.5307707005734e-4},  {"W", 128, 4, false, 0.6467329375339e-5},
    {"A", 256, 4, false, 0.2433365309069e-5}, {"B", 256, 20, true, 0.1800564401355e-5},
    {"C", 512, 20, true, 0.5706732285740e-6}, {"D", 1024, 50, true, 0.1583275060440e-9},
};

inline Problem problem_of(const Class& one, bool with_field) {
  return {.n = 0,
          .type = ElementType::float64,
          .extents = {one.side, one.side, one.side},
          .parameters = {one.iterations, one.later ? 1 : 0, with_field ? 1 : 0, 0}};
}

// Returns the problem class of this problem, or null.
inline const Class* class_of(const Problem& problem) {
  for (const Class& one : classes)
    if (one.side == side(problem) && one.iterations == iterations(problem) &&
        one.later == (problem.parameters[1] != 0))
      return &one;
  return nullptr;
}

}  // namespace sextant::npb_mg
