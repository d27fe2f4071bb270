// needs: openblas
#include "suite/variant.hpp"

namespace sextant {

// Same problem and arrays as matmul, so matmul's variants are reused.
Variant matmul_library_openblas();

std::vector<Variant> matmul_naive_library() { return {named("openblas", matmul_library_openblas())}; }

}  // namespace sextant
