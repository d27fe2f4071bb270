#include "../matmul/gpu.hpp"

namespace sextant {

Variant matmul_naive_library_cublas() { return matmul_library_cublas(); }

}  // namespace sextant
