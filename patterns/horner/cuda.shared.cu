#include "shared.cuh"

namespace sextant {

Variant horner_cuda_shared() {
  Variant variant = horner::share_variant("some values a thread, coefficients from shared memory");
  variant.launch = {.float32 = horner::launch_shared<horner::OneByOne, float>,
                    .float64 = horner::launch_shared<horner::OneByOne, double>};
  return variant;
}

}  // namespace sextant
