

#include "toolbox/cuda/stream.cuh"

// Defines the operation of `copy` on one element. The kernels of toolbox/cuda/stream.cuh apply it to whole
// arrays.
namespace sextant::copy {

using Operation = stream::Copy;

}  // namespace sextant::copy

namespace sextant {

std::vector<Variant> copy_cuda() {
  return {
      named("elementwise", stream::elementwise_variant<copy::Operation>()),
      named("vector", stream::vector_variant<copy::Operation>()),
  };
}

}  // namespace sextant
