#include "suite/variant.hpp"

namespace sextant {

// The same problem in the same arrays: the launch is matmul's own.
Variant matmul_target_parallel_for();

Variant matmul_naive_target_parallel_for() { return matmul_target_parallel_for(); }

}  // namespace sextant
