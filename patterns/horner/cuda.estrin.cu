#include "shared.cuh"

namespace sextant {

Variant horner_cuda_estrin() {
  Variant variant = horner::share_variant(
      "as shared, eight coefficients at once by Estrin's scheme: an eighth of the steps wait");
  variant.launch = {.float32 = horner::launch_shared<horner::ByPairs, float>,
                    .float64 = horner::launch_shared<horner::ByPairs, double>};
  return variant;
}

}  // namespace sextant
