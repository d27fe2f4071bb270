#include "suite/variant.hpp"

namespace sextant {

// Same problem and arrays as matmul, so matmul's variants are reused.
Variant matmul_library_cublas();

std::vector<Variant> matmul_naive_library_cu() { return {named("cublas", matmul_library_cublas())}; }

}  // namespace sextant
