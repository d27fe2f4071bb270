// The GPU variants of matmul. matmul_naive differs from matmul only in its plain loop's order, which no GPU
// variant keeps, so its folder has the same ones.
#pragma once

#include "suite/variant.hpp"

namespace sextant {

Variant matmul_cuda_register_tile();
Variant matmul_cuda_shared_tile();
Variant matmul_cuda_tensor();
Variant matmul_library_cublas();

}  // namespace sextant
