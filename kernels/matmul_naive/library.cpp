// needs: openblas
#include "suite/variant.hpp"

namespace sextant {

// matmul_naive has the same problem and arrays as matmul, so it reuses these variants of matmul.
Variant matmul_library_openblas();

std::vector<Variant> matmul_naive_library() { return {named("openblas", matmul_library_openblas())}; }

}  // namespace sextant
