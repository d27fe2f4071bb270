#include "stages.cuh"

namespace sextant {

Variant fft1d_cuda_stages() {
  return fft1d::stages_variant<2>("the form one writes first: a launch a stage of radix 2");
}

}  // namespace sextant
