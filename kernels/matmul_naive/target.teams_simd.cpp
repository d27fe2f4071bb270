#include "suite/variant.hpp"

namespace sextant {

// The same problem in the same arrays: the launch is matmul's own.
Variant matmul_target_teams_simd();

Variant matmul_naive_target_teams_simd() { return matmul_target_teams_simd(); }

}  // namespace sextant
