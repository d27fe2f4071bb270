#include "../matmul/gpu.hpp"

namespace sextant {

std::vector<Variant> matmul_naive_cuda() {
  return {
      named("register_tile", matmul_cuda_register_tile()),
      named("shared_tile", matmul_cuda_shared_tile()),
      named("tensor", matmul_cuda_tensor()),
  };
}

}  // namespace sextant
