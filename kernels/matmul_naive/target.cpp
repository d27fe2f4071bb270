#include "suite/variant.hpp"

namespace sextant {

// Same problem and arrays as matmul, so matmul's variants are reused.
Variant matmul_target_parallel_for();
Variant matmul_target_teams_simd();

std::vector<Variant> matmul_naive_target() {
  return {
      named("parallel_for", matmul_target_parallel_for()),
      named("teams_simd", matmul_target_teams_simd()),
  };
}

}  // namespace sextant
