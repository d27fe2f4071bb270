// Provides problems and kernels for the tests of NPB FT on the host and on a GPU.
#pragma once

#include <vector>

#include "../../npb/npb_ft/problem.hpp"
#include "program_checks.hpp"

namespace sextant {

inline Problem problem_of(const Extents& extents, std::int64_t iterations, bool with_field) {
  return {.n = 0,
          .type = ElementType::float64,
          .extents = extents,
          .parameters = {iterations, with_field ? 1 : 0, 0, 0}};
}

inline const RegisteredKernel& verified() { return *find_kernel("npb_ft"); }
inline const RegisteredKernel& whole() { return *find_kernel("npb_ft_field"); }

// Returns shapes with every length in every dimension, and with mixed lengths.
inline std::vector<Extents> test_shapes() {
  std::vector<Extents> shapes = {{8, 4, 2}, {64, 32, 16}, {2, 2, 2}, {2, 64, 32}, {32, 2, 64}, {16, 16, 16}};
  for (std::int64_t n = 4; n <= npb_ft::longest; n *= 2)
    for (const Extents& shape : {Extents{n, 4, 2}, Extents{16, n, 2}, Extents{8, 2, n}})
      shapes.push_back(shape);
  return shapes;
}

}  // namespace sextant
