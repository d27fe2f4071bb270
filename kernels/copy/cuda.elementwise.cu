#include "operation.cuh"

namespace sextant {

Variant copy_cuda_elementwise() { return stream::elementwise_variant<copy::Operation>(); }

}  // namespace sextant
