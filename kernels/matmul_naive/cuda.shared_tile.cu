#include "../matmul/gpu.hpp"

namespace sextant {

Variant matmul_naive_cuda_shared_tile() { return matmul_cuda_shared_tile(); }

}  // namespace sextant
