// needs: openblas
#include "suite/variant.hpp"

namespace sextant {

// The same problem in the same arrays: the launch is matmul's own.
Variant matmul_library_openblas();

std::vector<Variant> matmul_naive_library() { return {named("openblas", matmul_library_openblas())}; }

}  // namespace sextant
