#include "suite/variant.hpp"

namespace sextant {

// The same problem in the same arrays. GCC's offload linker bears an instance of a template in one file only,
// so the launch is matmul's own.
Variant matmul_openacc_register_block();

Variant matmul_naive_openacc_register_block() { return matmul_openacc_register_block(); }

}  // namespace sextant
