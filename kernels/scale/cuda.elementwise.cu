#include "operation.cuh"

namespace sextant {

Variant scale_cuda_elementwise() { return stream::elementwise_variant<scale::Operation>(); }

}  // namespace sextant
