#include "operation.cuh"

namespace sextant {

Variant scale_cuda_vector() { return stream::vector_variant<scale::Operation>(); }

}  // namespace sextant
