#include "openblas.hpp"

namespace sextant {

Variant matmul_library_openblas() { return matmul::openblas_variant(); }

}  // namespace sextant
