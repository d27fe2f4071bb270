// needs: openblas
#include "openblas.hpp"

namespace sextant {

std::vector<Variant> matmul_library() { return {named("openblas", matmul::openblas_variant())}; }

}  // namespace sextant
