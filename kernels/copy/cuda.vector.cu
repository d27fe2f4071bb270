#include "operation.cuh"

namespace sextant {

Variant copy_cuda_vector() { return stream::vector_variant<copy::Operation>(); }

}  // namespace sextant
