#include "../matmul/gpu.hpp"

namespace sextant {

Variant matmul_naive_cuda_tensor() { return matmul_cuda_tensor(); }

}  // namespace sextant
