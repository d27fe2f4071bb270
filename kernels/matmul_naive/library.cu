#include "suite/variant.hpp"

namespace sextant {

// matmul_naive has the same problem and arrays as matmul, so it reuses these variants of matmul.
Variant matmul_library_cublas();

std::vector<Variant> matmul_naive_library_cu() { return {named("cublas", matmul_library_cublas())}; }

}  // namespace sextant
