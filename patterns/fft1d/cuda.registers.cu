#include "stages.cuh"

namespace sextant {

Variant fft1d_cuda_registers() {
  return fft1d::stages_variant<16>("a launch for four stages, with 16 elements in a thread's registers");
}

}  // namespace sextant
