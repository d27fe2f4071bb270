#include "openacc_stages.hpp"

namespace sextant {

Variant fft1d_openacc_stages() {
  return fft1d::stages_variant<2>("the form one writes first: a region a stage of radix 2");
}

}  // namespace sextant
