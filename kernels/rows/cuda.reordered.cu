#include "toolbox/cuda/stream.cuh"

namespace sextant {

Variant rows_cuda_reordered() {
  Variant variant = stream::vector_variant<stream::Copy>();
  variant.description =
      "what a better order gives: the same copy with neighbouring threads on neighbouring elements";
  variant.aside = true;
  return variant;
}

}  // namespace sextant
