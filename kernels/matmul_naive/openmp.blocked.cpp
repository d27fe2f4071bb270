#include "../matmul/packed.hpp"

namespace sextant {

Variant matmul_naive_openmp_blocked() { return matmul::packed_variant(); }

}  // namespace sextant
