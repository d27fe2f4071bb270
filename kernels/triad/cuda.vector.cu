#include "operation.cuh"

namespace sextant {

Variant triad_cuda_vector() { return stream::vector_variant<triad::Operation>(); }

}  // namespace sextant
