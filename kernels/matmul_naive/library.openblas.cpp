#include "../matmul/openblas.hpp"

namespace sextant {

Variant matmul_naive_library_openblas() { return matmul::openblas_variant(); }

}  // namespace sextant
