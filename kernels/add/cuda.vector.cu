#include "operation.cuh"

namespace sextant {

Variant add_cuda_vector() { return stream::vector_variant<add::Operation>(); }

}  // namespace sextant
