#include "../matmul/gpu.hpp"

namespace sextant {

Variant matmul_naive_cuda_register_tile() { return matmul_cuda_register_tile(); }

}  // namespace sextant
