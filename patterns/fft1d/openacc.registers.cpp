#include "openacc_stages.hpp"

namespace sextant {

Variant fft1d_openacc_registers() {
  return fft1d::stages_variant<16>("a region for four stages, with 16 elements in a thread's registers");
}

}  // namespace sextant
