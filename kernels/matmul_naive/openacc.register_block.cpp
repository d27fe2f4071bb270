#include "suite/variant.hpp"

namespace sextant {

// The same problem in the same arrays: the launch is matmul's own,
// so that its many instances are compiled once.
Variant matmul_openacc_register_block();

std::vector<Variant> matmul_naive_openacc_register_block() {
  return {named("register_block", matmul_openacc_register_block())};
}

}  // namespace sextant
