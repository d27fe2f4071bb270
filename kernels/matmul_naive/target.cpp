#include "suite/variant.hpp"

namespace sextant {
// The same problem in the same arrays: the launch is matmul's own.
Variant matmul_target_parallel_for();

// The same problem in the same arrays: the launch is matmul's own.
Variant matmul_target_teams_simd();

std::vector<Variant> matmul_naive_target() {
  return {
      named("parallel_for", matmul_target_parallel_for()),
      named("teams_simd", matmul_target_teams_simd()),
  };
}

}  // namespace sextant
