#include "operation.cuh"

namespace sextant {

Variant add_cuda_elementwise() { return stream::elementwise_variant<add::Operation>(); }

}  // namespace sextant
