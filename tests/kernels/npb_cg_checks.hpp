// Provides problems and kernels for the tests of NPB CG on the host and on a GPU.
#pragma once

#include <string>
#include <vector>

#include "../../npb/npb_cg/problem.hpp"
#include "program_checks.hpp"

namespace sextant {

inline Problem cg_problem(std::int64_t n, std::int64_t iterations, std::int64_t nonzer, std::int64_t shift,
                          bool with_vector) {
  return {.n = 0,
          .type = ElementType::float64,
          .extents = {n, 1, 1},
          .parameters = {iterations, nonzer, shift, with_vector ? 1 : 0}};
}

inline const RegisteredKernel& cg_verified() { return *find_kernel("npb_cg"); }
inline const RegisteredKernel& cg_whole() { return *find_kernel("npb_cg_vector"); }

// Returns problems with tiny, odd, prime and large numbers of rows, and with short and long rows.
inline std::vector<Problem> cg_problems() {
  return {
      cg_problem(4, 2, 1, 5, true),     cg_problem(5, 1, 5, 9, true),     cg_problem(7, 3, 7, 20, true),
      cg_problem(31, 2, 5, 20, true),   cg_problem(32, 2, 7, 20, true),   cg_problem(257, 3, 9, 30, true),
      cg_problem(1009, 2, 7, 20, true), cg_problem(4099, 1, 3, 20, true), cg_problem(66001, 1, 1, 20, true)};
}

}  // namespace sextant
