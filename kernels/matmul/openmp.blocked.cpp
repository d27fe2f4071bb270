#include "packed.hpp"

namespace sextant {

Variant matmul_openmp_blocked() { return matmul::packed_variant(); }

}  // namespace sextant
