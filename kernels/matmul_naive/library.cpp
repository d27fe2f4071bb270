// needs: openblas
#include "../matmul/openblas.hpp"

namespace sextant {

std::vector<Variant> matmul_naive_library() { return {named("openblas", matmul::openblas_variant())}; }

}  // namespace sextant
