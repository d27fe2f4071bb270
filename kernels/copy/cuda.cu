

#include "toolbox/cuda/stream.cuh"

// What copy does to one element, for the stream forms.
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
