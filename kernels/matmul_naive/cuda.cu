#include "suite/variant.hpp"

namespace sextant {

// matmul_naive has the same problem and arrays as matmul, so it reuses these variants of matmul.
Variant matmul_cuda_register_tile();
Variant matmul_cuda_shared_tile();
Variant matmul_cuda_tensor();

std::vector<Variant> matmul_naive_cuda() {
  return {
      named("register_tile", matmul_cuda_register_tile()),
      named("shared_tile", matmul_cuda_shared_tile()),
      named("tensor", matmul_cuda_tensor()),
  };
}

}  // namespace sextant
