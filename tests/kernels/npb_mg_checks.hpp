// Provides problems, kernels and published values for the tests of NPB MG on the host and on a GPU.
#pragma once

#include <vector>

#include "../../npb/npb_mg/problem.hpp"
#include "program_checks.hpp"

namespace sextant {

inline Problem problem_of(std::int64_t side, std::int64_t iterations, bool later, bool with_field) {
  return {.n = 0,
          .type = ElementType::float64,
          .extents = {side, side, side},
          .parameters = {iterations, later ? 1 : 0, with_field ? 1 : 0, 0}};
}

inline const RegisteredKernel& verified() { return *find_kernel("npb_mg"); }
inline const RegisteredKernel& whole() { return *find_kernel("npb_mg_field"); }

// A copy of npb_mg_field with a fast but wrong reference, for tests that compare the fields in another way.
inline const Kernel& unchecked() {
  static const Kernel kernel = [] {
    Kernel made = whole().kernel;
    made.name = "npb_mg_field without reference";
    made.reference = {.float64 = [](const Problem& problem, const void* const*, double* const* results) {
      for (int array = 0; array < 3; ++array)
        for (std::int64_t i = 0; i < whole().kernel.elements(problem, array); ++i) results[array][i] = 0;
    }};
    return made;
  }();
  return kernel;
}

// Runs the variant and returns the norms, u and r in one vector.
inline std::vector<double> fields_of(const Variant& variant, const Problem& problem, int gpu = -1) {
  run_checked(unchecked(), variant, problem, default_tuning(variant, problem), gpu);
  std::vector<double> all;
  for (const std::vector<double>& values : outputs_of(unchecked(), problem))
    all.insert(all.end(), values.begin(), values.end());
  return all;
}

// Norms after 1 to 4 iterations, computed by an independent program that passes NPB's verification.
struct Checkpoints {
  std::int64_t side;
  bool later;
  double norms[4];
};
inline constexpr Checkpoints checkpoints[] = {
    {32, false, {2.9337960976328e-03, 6.3150017906228e-04, 1.7360856792372e-04, 5.3077070057349e-05}},
    {128, false, {3.6169808586064e-04, 7.7344445122371e-05, 2.1179611299340e-05, 6.4673293753391e-06}},
    {256, true, {6.0203980728553e-04, 3.7794573111487e-04, 2.5234568702465e-04, 1.7456824360346e-04}},
};

}  // namespace sextant
