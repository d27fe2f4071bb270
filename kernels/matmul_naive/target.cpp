#include "suite/variant.hpp"

namespace sextant {

// matmul_naive has the same problem and arrays as matmul, so it reuses these variants of matmul.
Variant matmul_target_parallel_for();
Variant matmul_target_teams_simd();

std::vector<Variant> matmul_naive_target() {
  return {
      named("parallel_for", matmul_target_parallel_for()),
      named("teams_simd", matmul_target_teams_simd()),
  };
}

}  // namespace sextant
